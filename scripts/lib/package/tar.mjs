// An archive that says nothing of when, where and by whom it was made.
import { createReadStream, createWriteStream } from "node:fs";
import { dirname } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { createTarPacker } from "modern-tar";

/** For each entry. `tar` warns of a time at the beginning of its count. */
const entry = { mtime: new Date("2020-01-01T00:00:00Z"), uid: 0, gid: 0 };

/** Writes files, as `contents` returns them, into the archive `to`, all below the folder `name`. */
export async function writeTar(to, name, files) {
  const { readable, controller } = createTarPacker();
  const written = pipeline(Readable.fromWeb(readable), createGzip(), createWriteStream(to));
  // Whoever adds hears of it.
  written.catch(() => {});
  const add = (header, source) => Promise.race([pipeline(source, controller.add({ ...header, ...entry })), written]);
  const nothing = () => Readable.from([]);
  for (const folder of foldersOf(files))
    await add({ name: `${name}/${folder}`, type: "directory", size: 0, mode: 0o755 }, nothing());
  for (const { path, mode, size, file, bytes } of files)
    await add({ name: `${name}/${path}`, size, mode }, file ? createReadStream(file) : Readable.from([bytes]));
  controller.finalize();
  await written;
}

/** All folders of the files, each before those in it; `""` is the folder of all. */
function foldersOf(files) {
  const folders = new Set([""]);
  for (const { path } of files)
    for (let folder = dirname(path); folder !== "."; folder = dirname(folder)) folders.add(`${folder}/`);
  return [...folders].sort();
}
