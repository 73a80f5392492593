// The records of keys reach the disk. Miniflare's KV writes a file for each, and leaves it to the system when the disk gets it: up to half
// a minute later. Whoever has a new key would lose it with the power until then.
import { existsSync, readdirSync, watch } from "node:fs";
import * as files from "node:fs/promises";
import { join } from "node:path";
import { say } from "../base/command.mjs";

const tell = (error) => say(`records of keys are not flushed: ${error.message}`);

/** The folders of the KV that have records. */
function foldersIn({ state }) {
  const kv = join(state, "kv");
  const names = existsSync(kv) ? readdirSync(kv) : [];
  return names.map((name) => join(kv, name, "blobs")).filter(existsSync);
}

/** Flushes all records that are there, and their folders. */
export async function flushKeys(places, open = files.open) {
  for (const folder of foldersIn(places)) {
    for (const name of readdirSync(folder)) await flush(join(folder, name), open);
    await flush(folder, open);
  }
}

/** Flushes each record that comes, and its folder. A service that can't do that goes on, and says so. Returns what stops it. */
export function watchKeys(places, open = files.open) {
  const watchers = foldersIn(places).map((folder) => {
    try {
      const flushOne = async (_, name) => {
        await flush(join(folder, name), open);
        await flush(folder, open);
      };
      return watch(folder, (...told) => void flushOne(...told).catch(tell)).on("error", tell);
    } catch (error) {
      tell(error);
      return undefined;
    }
  });
  return () => {
    for (const watcher of watchers) watcher?.close();
  };
}

/** A record that has been replaced meanwhile is gone. */
async function flush(path, open) {
  let file;
  try {
    file = await open(path);
    await file.sync();
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
  } finally {
    await file?.close();
  }
}
