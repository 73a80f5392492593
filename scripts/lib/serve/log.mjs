// The log of `npm run serve`. As text it has the worker's events, a JSON object a line, and between them what the command, the runtime and
// the gate say. As JSON, all of it is objects with a time, one a line, for programs that read logs.
import { createInterface } from "node:readline";
import { format } from "node:util";
import { Failure, speakBy } from "../base/command.mjs";

/** The words of the runtime and of Node.js for levels that the worker calls otherwise. */
const levels = { log: "info", debug: "info", warn: "warning" };

let isJson = false;

const write = (stream, line) => stream.write(`${JSON.stringify(line)}\n`);

/** A line about what is no event of the worker. `event` is who says it: `command`, `gate` or `runtime`. */
function tell(stream, level, event, message, time = timeOf()) {
  write(stream, { time, level: levels[level] ?? level, event, message });
}

const timeOf = (ms) => new Date(Number.isFinite(ms) ? ms : Date.now()).toISOString();

const textOf = (error) => (error instanceof Failure ? error.message : (error?.stack ?? String(error)));

/** From now on, each line that this process writes is a JSON object, whoever writes it. */
export function logAsJson() {
  if (isJson) return;
  isJson = true;
  const { stdout, stderr } = process;
  const info = (text) => tell(stdout, "info", "command", text.trim());
  speakBy({ say: info, show: info, complain: (error) => tell(stderr, "error", "command", textOf(error)) });
  for (const level of ["log", "info", "debug", "warn", "error"]) {
    const stream = level === "error" || level === "warn" ? stderr : stdout;
    console[level] = (...words) => tell(stream, level, "command", format(...words));
  }
  // Node.js would print these by itself.
  process.removeAllListeners("warning");
  process.on("warning", ({ name, message }) => tell(stderr, "warning", "command", `${name}: ${message}`));
  process.on("uncaughtException", (error) => {
    tell(stderr, "error", "command", textOf(error));
    process.exit(1);
  });
}

/** Writes what Peyk's runtime says: `message`, its `level`, and the `timestamp` in ms. An event of the worker stays as it is, behind its time. */
export function logRuntime({ message, level, timestamp }) {
  if (!isJson) return console.log(message);
  const event = eventIn(message);
  if (!event) return tell(process.stdout, level, "runtime", message, timeOf(timestamp));
  write(process.stdout, { time: timeOf(timestamp), ...event });
}

function eventIn(message) {
  try {
    const line = JSON.parse(message);
    return typeof line?.event === "string" ? line : undefined;
  } catch {
    return undefined;
  }
}

/** What a child process gets for its standard output and its standard error, so that `logLines` can read them. */
export const childOutput = () => (isJson ? "pipe" : "inherit");

/** Writes each line of a child process, which is the `event` of the lines. */
export function logLines(child, event) {
  for (const [stream, level] of [
    [child.stdout, "info"],
    [child.stderr, "error"],
  ])
    if (stream) createInterface({ input: stream }).on("line", (line) => tell(process.stdout, level, event, line));
}
