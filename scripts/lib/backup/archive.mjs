// The file of a backup: a tar archive, compressed by gzip. Its first entry says what it is, its last one has the size and the
// SHA-256 of each file between them. So an archive that was cut off has no last entry, and nothing of it needs to be kept in memory.
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream, statSync } from "node:fs";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { createTarDecoder, createTarPacker } from "modern-tar";
import { Failure } from "../base/command.mjs";

/** The form of the archive. A command knows its own form and the older ones. */
export const format = 1;
const head = "backup.json";
const manifest = "manifest.json";
const prefix = "data/";
/** Far more than a head or a manifest of a million files has, bytes. */
const mostText = 256 << 20;

/** Lets bytes through, and hashes them. */
const hashing = (hash) =>
  new Transform({
    transform(chunk, _, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });

/**
 * Begins an archive. `add(path, file)` puts a file into it under a path, one after the other; `end()` resolves when the disk has all
 * of it. `about` is what the head says beside the format. Only the owner may read the archive.
 */
export function createArchive(to, about) {
  const { readable, controller } = createTarPacker();
  const output = createWriteStream(to, { flags: "wx", mode: 0o600, flush: true });
  const written = pipeline(Readable.fromWeb(readable), createGzip(), output);
  // Whoever adds or ends hears of it.
  written.catch(() => {});
  const files = {};
  const put = async (name, size, ...source) => {
    const body = controller.add({ name, size, mode: 0o600 });
    await Promise.race([pipeline(...source, body), written]);
  };
  const putText = (name, value) => {
    const text = Buffer.from(`${JSON.stringify(value)}\n`);
    return put(name, text.length, Readable.from([text]));
  };
  const begun = putText(head, { format, ...about });
  return {
    async add(path, file) {
      await begun;
      const { size } = statSync(file);
      const hash = createHash("sha256");
      // A file may grow. What the archive has of it is what there was.
      const source = size > 0 ? createReadStream(file, { end: size - 1 }) : Readable.from([]);
      await put(prefix + path, size, source, hashing(hash));
      files[path] = { size, sha256: hash.digest("hex") };
    },
    async end() {
      await begun;
      await putText(manifest, { files });
      controller.finalize();
      await written;
    },
  };
}

/**
 * Reads an archive to its end and checks all of it. `take(path, body)` gets the stream of each file, and has to read it; without it,
 * nothing is kept. Returns what the head says. Fails with a sentence if the archive is damaged, of a newer form, or none.
 */
export async function readArchive(file, take = (_, body) => body.resume()) {
  const found = {};
  let about;
  let listed;
  const isListed = ([path, { size, sha256 }]) => listed[path]?.size === size && listed[path].sha256 === sha256;
  try {
    for await (const { name, type, body } of entriesOf(file)) {
      if (!about) about = headOf(file, name, await jsonOf(body));
      else if (name === manifest) listed = (await jsonOf(body)).files;
      else found[pathOf(name, type)] = await received(body, (stream) => take(pathOf(name, type), stream));
    }
    if (!listed) throw new Error("its end is missing");
    const paths = Object.entries(found);
    if (paths.length !== Object.keys(listed).length || !paths.every(isListed))
      throw new Error("its files are not those of its list");
  } catch (error) {
    // An error of the system, such as a full disk, says nothing about the archive.
    if (error instanceof Failure || error.syscall) throw error;
    throw new Failure(`${file} is damaged, or no backup: ${error.message}. Nothing was restored.`);
  }
  return about;
}

/** The entries of an archive, each `{name, type, body}`. Each body has to be read. */
async function* entriesOf(file) {
  const unpacked = createGunzip();
  // Whoever reads the entries hears of an error.
  pipeline(createReadStream(file), unpacked).catch(() => {});
  const entries = Readable.toWeb(unpacked).pipeThrough(createTarDecoder({ strict: true }));
  for await (const { header, body } of entries)
    yield { name: header.name, type: header.type, body: Readable.fromWeb(body) };
}

function headOf(file, name, about) {
  if (name !== head || !Number.isInteger(about.format)) throw new Error(`it does not begin with ${head}`);
  if (about.format > format)
    throw new Failure(`${file} was made by a newer Peyk (${about.peyk}). Restore it by that version or a newer one.`);
  return about;
}

/** Where a file stands below the folder of data: nowhere else. */
function pathOf(name, type) {
  const path = name.slice(prefix.length);
  const isBelow = name.startsWith(prefix) && path.split("/").every((part) => part && part !== "." && part !== "..");
  if (!isBelow || type !== "file") throw new Error(`it has a strange entry, ${name}`);
  return path;
}

async function jsonOf(body) {
  const pieces = [];
  let size = 0;
  for await (const piece of body) {
    size += piece.length;
    if (size > mostText) throw new Error("its list is too long");
    pieces.push(piece);
  }
  return JSON.parse(Buffer.concat(pieces).toString("utf8"));
}

/** Hands a body on. Returns the size and the hash of what has come. */
async function received(body, take) {
  const hash = createHash("sha256");
  let size = 0;
  const counted = new Transform({
    transform(chunk, _, done) {
      hash.update(chunk);
      size += chunk.length;
      done(null, chunk);
    },
  });
  await Promise.all([pipeline(body, counted), take(counted)]);
  return { size, sha256: hash.digest("hex") };
}
