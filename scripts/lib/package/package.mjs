// The package of a service on a machine of one's own: all files that its commands need, in one archive. The same tree gives the same bytes.
import { createHash } from "node:crypto";
import { createReadStream, mkdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { inRoot } from "../base/paths.mjs";
import { build } from "../build/build.mjs";
import { contents } from "./contents.mjs";
import { writeTar } from "./tar.mjs";

export { architectures } from "./workerd.mjs";

/** Makes the package for a kind of processor, and returns its path. `say` prints a line. */
export async function makePackage({ arch, say, into = inRoot("build", "packages") }) {
  // A package has the full build, without names for a profiler.
  for (const name of ["PEYK_BUILD", "PROFILE"]) delete process.env[name];
  await build();
  const { name, files } = await contents(arch);
  const file = join(into, `${name}.tar.gz`);
  const unfinished = `${file}.unfinished`;
  mkdirSync(into, { recursive: true });
  try {
    await writeTar(unfinished, name, files);
    renameSync(unfinished, file);
  } finally {
    rmSync(unfinished, { force: true });
  }
  const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;
  const unpacked = files.reduce((sum, { size }) => sum + size, 0);
  say(`${file} has ${files.length} files: ${megabytes(statSync(file).size)}, and ${megabytes(unpacked)} unpacked`);
  say(`its SHA-256 is ${await sha256(file)}`);
  return file;
}

async function sha256(file) {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return hash.digest("hex");
}
