// The first operator key of a service: made once, and given once.
import { say } from "../base/command.mjs";
import { newKey, operatorEntry, operatorMark } from "../base/keys.mjs";

/** Whether operators have had their first key. `ask` asks the control worker. */
export const hasOperator = async (ask) => Boolean((await markOf(ask))?.shown);

/** What is noted of the first key: its id, the name of its record, and whether the operator has it. Nothing before a key is made. */
const markOf = async (ask) => JSON.parse((await ask("getKey", { name: operatorMark })) ?? "null");

/**
 * Makes the first operator key, gives it to the operator by `handover`, and returns it. A start that dies in between may have given a
 * key: the next one takes it away and makes another, so that one works in the end. `flush` has the disk take what the KV has.
 */
export async function firstOperator(ask, handover, flush) {
  const earlier = await markOf(ask);
  if (earlier) await ask("deleteKey", { name: earlier.name });
  const key = newKey();
  const { name, id, value } = operatorEntry(key);
  const mark = (shown) => ask("putKey", { name: operatorMark, value: JSON.stringify({ id, name, shown }) });
  await mark(false);
  await ask("putKey", { name, value });
  await flush();
  say(`you get the operator key ${id} this once; the service stores it nowhere in the clear. Use it within 7 days.`);
  handover.give(key);
  await mark(true);
  await flush();
  return key;
}
