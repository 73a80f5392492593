// What released versions have stored: `tests/released/VERSION/state.json.gz` has the files of all stores of a small service, as that
// version left them, beside what its API said of them.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { gunzipSync, gzipSync } from "node:zlib";
import { inRoot } from "../../scripts/lib/base/paths.mjs";
import { prepareState } from "../../scripts/lib/start/state.mjs";

export const { version } = JSON.parse(readFileSync(inRoot("package.json"), "utf8"));

const fileOf = (version) => inRoot("tests", "released", version, "state.json.gz");

/** The versions whose state is kept, the newest last. */
export function releasedVersions() {
  const names = readdirSync(inRoot("tests", "released")).filter((name) => existsSync(fileOf(name)));
  return names.sort(new Intl.Collator("en", { numeric: true }).compare);
}

/** What a version has left: `files` by their paths, in base64, and what its API said, `told`. */
const read = (version) => JSON.parse(gunzipSync(readFileSync(fileOf(version))));

export const told = (version) => read(version).told;

/** Fills a folder with the state of a version, as that has left it. */
export function writeReleased(version, stateDir) {
  for (const [path, content] of Object.entries(read(version).files)) {
    const file = join(stateDir, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content, { encoding: "base64", mode: 0o600 });
  }
  letGoNow(stateDir);
}

/** Fills a folder with the state of a version, and brings it up to date, as an upgrade does. */
export const releasedState = (version) => async (stateDir) => {
  writeReleased(version, stateDir);
  await prepareState(stateDir);
};

/** A message waits for some hours only. What the version has let go waits from now on, however long ago that was. */
function letGoNow(stateDir) {
  for (const file of databases(join(stateDir, "v3", "do"))) {
    const db = new DatabaseSync(file);
    const [isAccount] = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'chunk'").all();
    if (isAccount) db.prepare("UPDATE chunk SET ready_ms = ? WHERE active > 0").run(Date.now());
    db.close();
  }
}

/** The databases in a folder and those below it. */
const databases = (folder) =>
  readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith(".sqlite"))
    .map((name) => join(folder, name));

/** Keeps the state of a server that has been stopped as that of this version. */
export function keepState(stateDir, told) {
  const stores = () => {
    const entries = readdirSync(join(stateDir, "v3"), { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  };
  for (const file of stores().filter((file) => file.endsWith(".sqlite"))) compact(file);
  const others = ["demo.json", "migrations.json", "operator-key", "secret-key"].map((name) => join(stateDir, name));
  const kept = [...stores(), ...others].filter((file) => existsSync(file) && !/\/(cache|ratelimit)\//.test(file));
  const files = kept.map((file) => [file.slice(stateDir.length + 1), readFileSync(file, "base64")]);
  mkdirSync(dirname(fileOf(version)), { recursive: true });
  writeFileSync(fileOf(version), gzipSync(JSON.stringify({ files: Object.fromEntries(files), told }), { level: 9 }));
}

/** Brings a database into one file, without room that nothing takes. */
function compact(file) {
  const db = new DatabaseSync(file);
  db.exec(`VACUUM INTO '${file}.compact'`);
  db.close();
  for (const ending of ["-wal", "-shm"]) rmSync(file + ending, { force: true });
  renameSync(`${file}.compact`, file);
}
