// What a start does before Peyk runs on the data: its settings are right, the directory is of this version, and an operator has a key.
// Until then nothing of Peyk's work begins, so a start that is refused sends and forgets nothing.
import { Failure } from "../base/command.mjs";
import { migrate } from "./directory.mjs";
import { writeVersion } from "./folder.mjs";
import { flushKeys } from "./key-files.mjs";
import { firstOperator, hasOperator } from "./operator.mjs";
import { startStores } from "./service/service.mjs";
import { askSocket } from "./service/sockets.mjs";
import { failForSettings } from "./settings.mjs";
import { copyBeforeUpgrade } from "./upgrade-copy.mjs";

/** What the worker logs of a setting that it refuses (src/base/config.rs). */
const refused = /setting ([A-Z0-9_]+)=.*: must be .*/;

/**
 * Prepares the stores of a folder. `settings` are what `readSettings` returns, `secrets` the worker's, and `version` that of this Peyk.
 * `copies` is whether data of an older version are copied first. Returns the first operator key, if nobody had one; `handover` has given it
 * then.
 */
export async function prepare({ places, settings, secrets, version, copies, handover }) {
  const stores = await settledStores({ stores: places.state, secrets }, settings.settings, settings.faults);
  try {
    await copyBeforeUpgrade(places, version, { isWanted: copies });
    await migrate(stores.ask);
    // Objects change their schema as they are opened: from here on, an older version refuses the folder.
    writeVersion(places, version);
    if (await hasOperator(stores.ask)) return undefined;
    handover.ensure();
    return await firstOperator(stores.ask, handover, () => flushKeys(places));
  } finally {
    await ended(stores);
  }
}

/** Ends a runtime, and waits until the system has taken the data's files from it. */
export async function ended(stores) {
  await stores.stop();
  await stores.exited;
}

/**
 * The stores, if the worker takes all settings. Otherwise fails with `faults` and with all that it refuses. It names one at a time, so it
 * is asked again without that one.
 */
async function settledStores(options, settings, faults) {
  const lines = [];
  const stores = await startStores({ ...options, settings, log: ({ message }) => lines.push(message) });
  const { status, text } = await askSocket(stores.peyk, "GET", "/health");
  if (status === 200 && faults.length === 0) return stores;
  await ended(stores);
  if (status === 200) failForSettings(faults);
  const [cause, name] = lines.map((line) => refused.exec(causeIn(line))).find(Boolean) ?? [];
  if (!(name in settings)) throw new Failure(`the service does not answer: ${status} ${text}\n${lines.join("\n")}`);
  const { [name]: _, ...others } = settings;
  return settledStores(options, others, [...faults, `${cause.replace(/^setting /, "")}.`]);
}

function causeIn(line) {
  try {
    return JSON.parse(line).cause ?? line;
  } catch {
    return line;
  }
}
