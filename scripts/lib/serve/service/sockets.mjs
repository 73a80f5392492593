// The sockets of Peyk's runtime. They are files in a folder that only we may open, so no other user of the machine reaches them.
import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Failure } from "../../base/command.mjs";
import { folderVariable } from "../lock.mjs";

/** The longest path of a socket that the kernel takes, bytes. So sockets do not stand in the folder of the data. */
const LONGEST_PATH = 107;
const prefix = "peyk-";
/** The longest name of a socket, with what `pathOf` puts behind it. */
const longestName = "control:0";
/** The file in a folder of sockets that says whose it is. */
const ownerFile = "owner";

/**
 * A new folder for the sockets of the service whose folder this process has locked, and for what Miniflare writes. `directSocket` is what
 * Miniflare takes for a socket, and `pathOf` where it is then.
 */
export function makeSockets() {
  const dir = newFolder();
  const owner = process.env[folderVariable];
  if (owner) writeFileSync(join(dir, ownerFile), identityOf(owner));
  return {
    dir,
    // Miniflare puts a port behind the host, and the runtime takes both as the path.
    directSocket: (name) => ({ host: `unix:${join(dir, name)}`, port: 0, proxy: true }),
    pathOf: (name) => join(dir, `${name}:0`),
    remove: () => rmSync(dir, { recursive: true, force: true }),
  };
}

function newFolder() {
  const longest = join(tmpdir(), `${prefix}XXXXXX`, longestName);
  if (Buffer.byteLength(longest) > LONGEST_PATH)
    throw new Failure(
      `the folder for temporary files, ${tmpdir()}, has too long a path for sockets: ${longest} has ${Buffer.byteLength(longest)} bytes, ` +
        `and ${LONGEST_PATH} are the most. Set TMPDIR to a folder with a shorter path.`,
    );
  try {
    return mkdtempSync(join(tmpdir(), prefix));
  } catch (error) {
    throw new Failure(`nothing can be written into ${tmpdir()}: ${error.message}. Set TMPDIR to another folder.`);
  }
}

/** A folder of data, whatever path another container has it under. */
function identityOf(folder) {
  const { dev, ino } = statSync(folder);
  return `${dev}:${ino}`;
}

/** Removes what commands for this folder of data have left that were killed. The lock of the folder says that none of them lives. */
export function removeDeadSockets(folder) {
  const owner = identityOf(folder);
  for (const name of namesOfSockets())
    if (ownerOf(join(tmpdir(), name)) === owner) rmSync(join(tmpdir(), name), { recursive: true, force: true });
}

/** Nothing, if there is no such folder: whoever makes sockets there says so. */
function namesOfSockets() {
  try {
    return readdirSync(tmpdir()).filter((name) => name.startsWith(prefix));
  } catch {
    return [];
  }
}

/** What a folder of ours says whose it is. Everybody may write into /tmp, so what belongs to others says nothing. */
function ownerOf(dir) {
  try {
    const stat = lstatSync(dir);
    return stat.isDirectory() && stat.uid === process.getuid() ? readFileSync(join(dir, ownerFile), "utf8") : undefined;
  } catch {
    return undefined;
  }
}

/** How long an answer may take, ms. The night's work is the longest: at Cloudflare, a cron may take as long. */
const ANSWER_MS = 15 * 60_000;

/** Asks at a socket, and returns `{status, text}`. `body` is sent as JSON. */
export function askSocket(socketPath, method, path, body) {
  return new Promise((resolve, reject) => {
    const options = {
      socketPath,
      method,
      path: `http://localhost${path}`,
      headers: { host: "localhost" },
      agent: false,
      signal: AbortSignal.timeout(ANSWER_MS),
    };
    const asked = request(options, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (piece) => (text += piece));
      response.on("end", () => resolve({ status: response.statusCode, text })).on("error", reject);
    });
    asked.on("error", reject).end(body && JSON.stringify(body));
  });
}
