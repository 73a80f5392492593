// One more operator key for a folder that nobody serves, as when all others are lost.
import { existsSync } from "node:fs";
import { Failure } from "../base/command.mjs";
import { operatorEntry } from "../base/keys.mjs";
import { peykVersion } from "../base/version.mjs";
import { placesIn } from "./folder.mjs";
import { holdFolder } from "./hold.mjs";
import { flushKeys } from "./key-files.mjs";
import { logRuntime } from "./log.mjs";
import { ended } from "./prepare.mjs";
import { startStores } from "./service/service.mjs";

/** Puts an operator's key into the KV of a folder, and returns the key's id. */
export async function putServedKey(data, key) {
  const places = placesIn(data);
  if (!existsSync(places.version)) throw new Failure(`${places.dir} has no data of Peyk.`);
  await holdFolder(places, peykVersion());
  const stores = await startStores({ stores: places.state, settings: {}, secrets: {}, log: logRuntime });
  try {
    const { name, id, value } = operatorEntry(key);
    await stores.ask("putKey", { name, value });
    await flushKeys(places);
    return id;
  } finally {
    await ended(stores);
  }
}
