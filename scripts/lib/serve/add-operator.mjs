// One more operator key for a folder that nobody serves, as when all others are lost.
import { existsSync } from "node:fs";
import { Failure } from "../base/command.mjs";
import { operatorEntry } from "../base/keys.mjs";
import { ensureFolder, placesIn } from "./folder.mjs";
import { lockFolder } from "./lock.mjs";
import { startService } from "./service/service.mjs";
import { watchOver } from "./watch.mjs";

/** Puts an operator's key into the KV of a folder, and returns the key's id. */
export async function putServedKey(data, key) {
  const places = placesIn(data);
  if (!existsSync(places.version)) throw new Failure(`${places.dir} has no data of Peyk.`);
  ensureFolder(places);
  await lockFolder(places);
  const service = await startService({
    stores: places.state,
    settings: {},
    secrets: {},
    networks: [],
    log: console.log,
  });
  watchOver(service.child);
  try {
    const { name, id, value } = operatorEntry(key);
    await service.ask("putKey", { name, value });
    return id;
  } finally {
    await service.stop();
  }
}
