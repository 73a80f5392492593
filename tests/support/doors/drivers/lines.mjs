// Answers calls that come as lines of JSON, one after another: {"value": …} or {"error": {"class", "message", …}}.
import { createInterface } from "node:readline";

/** Answers with what `call(line)` returns, or with what it throws and the members that a user reads from that. */
export async function answer(call) {
  for await (const line of createInterface({ input: process.stdin })) {
    process.stdout.write(`${JSON.stringify(await outcomeOf(call, JSON.parse(line)))}\n`);
  }
}

async function outcomeOf(call, line) {
  try {
    return { value: (await call(line)) ?? null };
  } catch (error) {
    const told = error.toJSON ? { code: error.code } : { ...error };
    return { error: { ...told, class: error.constructor.name, message: error.message } };
  }
}
