// The records of keys reach the disk. Miniflare's KV writes a file for each, and leaves it to the system when the disk gets it: up to half
// a minute later. Whoever has a new key would lose it with the power until then.
import { existsSync, readdirSync, watch } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { say } from "../base/command.mjs";

/** Flushes each file that is in the folders of the KV or comes there, and then the folder. Returns what stops it. */
export function syncKeys({ state }, flush = flushed) {
  const kv = join(state, "kv");
  const folders = existsSync(kv) ? readdirSync(kv).map((name) => join(kv, name, "blobs")) : [];
  const tell = (error) => say(`the record of a key is not flushed: ${error.message}`);
  const watchers = folders.filter(existsSync).map((folder) => {
    const watcher = watch(folder, (_, name) => void flush(join(folder, name), folder).catch(tell));
    const there = readdirSync(folder).map((name) => join(folder, name));
    flush(...there, folder).catch(tell);
    return watcher;
  });
  return () => {
    for (const watcher of watchers) watcher.close();
  };
}

async function flushed(...paths) {
  for (const path of paths) {
    const file = await opened(path);
    await file?.sync();
    await file?.close();
  }
}

/** A record that has been replaced meanwhile is gone. */
async function opened(path) {
  try {
    return await open(path);
  } catch (error) {
    if (error.code === "ENOENT") return undefined;
    throw error;
  }
}
