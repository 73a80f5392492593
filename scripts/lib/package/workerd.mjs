// The runtime for a kind of processor. npm has installed the one of this machine; another one comes from the registry, in the version and
// with the checksum of package-lock.json.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exec, Failure, say } from "../base/command.mjs";
import { inRoot } from "../base/paths.mjs";

const packages = { x64: "@cloudflare/workerd-linux-64", arm64: "@cloudflare/workerd-linux-arm64" };

/** The kinds of processors that a package can be for, as Node.js calls them. */
export const architectures = Object.keys(packages);

/** The npm package with the runtime for a kind of processor: `{name, dir}`. */
export async function workerdFor(arch) {
  const name = packages[arch];
  const installed = inRoot("node_modules", name);
  return { name, dir: existsSync(join(installed, "bin", "workerd")) ? installed : await fetched(name) };
}

async function fetched(name) {
  const lock = JSON.parse(readFileSync(inRoot("package-lock.json"), "utf8"));
  const { version, integrity } = lock.packages[`node_modules/${name}`];
  const dir = inRoot("build", "workerd", `${name.split("/")[1]}-${version}`);
  if (existsSync(dir)) return dir;
  const place = mkdtempSync(join(tmpdir(), "peyk-workerd-"));
  try {
    say(`fetching ${name} ${version} …`);
    await exec("npm", ["pack", `${name}@${version}`, "--pack-destination", place], {
      stdio: ["ignore", "ignore", "inherit"],
    });
    const archive = join(place, readdirSync(place)[0]);
    ensureIntact(archive, integrity);
    await exec("tar", ["-xzf", archive, "-C", place]);
    mkdirSync(inRoot("build", "workerd"), { recursive: true });
    // Not by a rename from elsewhere: the folder of the system may be another disk.
    await exec("cp", ["-R", join(place, "package"), `${dir}.unfinished`]);
    renameSync(`${dir}.unfinished`, dir);
  } finally {
    for (const path of [place, `${dir}.unfinished`]) rmSync(path, { recursive: true, force: true });
  }
  return dir;
}

/** Fails if a file is not the one that the lock file means. */
export function ensureIntact(file, integrity) {
  const found = `sha512-${createHash("sha512").update(readFileSync(file)).digest("base64")}`;
  if (found !== integrity)
    throw new Failure(`${file} is not the package of package-lock.json: its checksum is ${found}.`);
}
