// The first operator key of a service: made once, and given once.
import { say } from "../base/command.mjs";
import { newKey, operatorEntry, operatorMark } from "../base/keys.mjs";

/** Whether operators have had their first key. `ask` asks the control worker. */
export const hasOperator = (ask) => ask("hasKey", { name: operatorMark });

/**
 * Makes the first operator key, gives it to the operator by `handover`, and returns it. The mark is set when the operator has the
 * key: a start that died in between makes another one, and nobody has the first. `flush` has the disk take what the KV has.
 */
export async function firstOperator(ask, handover, flush) {
  const key = newKey();
  const { name, id, value } = operatorEntry(key);
  await ask("putKey", { name, value });
  await flush();
  say(`you get the operator key ${id} this once; the service stores it nowhere in the clear.`);
  handover.give(key);
  await ask("putKey", { name: operatorMark, value: JSON.stringify({ id, shown: true }) });
  await flush();
  return key;
}
