// Changes the secret of a folder of data. The file has the new secret beside the old one until nothing needs that any more: a start
// gives both to the worker, which seals with the new one and opens with both.
import { existsSync, statSync } from "node:fs";
import { call } from "../base/client.mjs";
import { Failure } from "../base/command.mjs";
import { withLock } from "../base/lock.mjs";
import { called } from "../base/packed.mjs";
import { shellWord } from "../base/shell-word.mjs";
import { sealAnew } from "../deploy/carriers.mjs";
import { endOf } from "../deploy/finish-change.mjs";
import { proofKeyOf } from "../deploy/proof-key.mjs";
import { newSecret } from "../deploy/secret-file.mjs";
import { placesIn } from "./folder.mjs";
import { fileOf } from "./secrets.mjs";

const keysPath = "/.well-known/jwks.json";

/** Puts a new secret into the file of the folder `data`, beside the one of now. It has an effect with the next start. */
export async function changeServed({ data, say }) {
  const places = ownPlaces(data);
  await withLock(".rotate", () => change(places, say), places.dir);
}

/**
 * Removes the old secret from the file of the folder `data`, when the service at `url` needs it no more. `key` is that of an operator,
 * `now` is whether nobody waits for gateways, and `request` asks the service.
 */
export async function finishServed({ data, url, key, now, say, request = call, clock = Date.now }) {
  const places = ownPlaces(data);
  await withLock(".rotate", () => finish({ places, url, key, now, say, request, clock }), places.dir);
}

/** Another user would leave a file that the service can't read. */
function ownPlaces(data) {
  const places = placesIn(data);
  if (!existsSync(places.version)) throw new Failure(`${places.dir} has no data of Peyk.`);
  const { uid } = statSync(places.dir);
  if (uid !== process.getuid())
    throw new Failure(`${places.dir} belongs to another user (${uid}). Run the command as that user.`);
  if (!existsSync(places.secret)) throw new Failure(`${places.secret} is missing. Put your copy of the file there.`);
  return places;
}

const command = (places, words = "") => `\`${called("rotate")} --data ${shellWord(places.dir)}${words}\``;

function change(places, say) {
  const file = fileOf(places);
  const kept = file.read();
  if (kept.old) say(`${file.path} has a change that has begun: no other secret is made.`);
  else {
    file.write({ current: newSecret(), old: kept.current });
    say(`${file.path} has the new secret and the old one. Keep a copy of it where your passwords are.`);
  }
  say("start the service again: from then on it works by the new secret, and still reads what the old one has made.");
  say(`docs/self-hosting.md says what comes before the old one goes. Then ${command(places, " --finish")} removes it.`);
}

async function finish({ places, url, key, now, say, request, clock }) {
  const copy = fileOf(places);
  const kept = copy.read();
  if (!kept.old) return say("there is no change to finish.");
  if (!kept.changedAt)
    throw new Failure("the service was not started since its secret was changed. Start it again, and finish later.");
  if (clock() < Date.parse(endOf(kept.changedAt)) && !now)
    throw new Failure(
      `the service works by the new secret since ${kept.changedAt}. Gateways report to addresses of the old one for 7 days: wait until ` +
        `${endOf(kept.changedAt)}, or say --now to lose those reports.`,
    );
  if ((await publishedBy(url, request)) !== proofKeyOf(kept.current))
    throw new Failure(
      `${url} does not work by the new secret of ${copy.path}: is it the service of this folder? Nothing was changed.`,
    );
  const ask = (method, path, body) => request(url, method, `/admin${path}`, { key, body });
  await sealAnew({ ask, copy, say, clock }, kept);
  copy.write({ current: kept.current });
  say(`${copy.path} has the new secret only. The service forgets the old one with its next start.`);
}

/** The key of proofs that shows by which secret a service works. */
async function publishedBy(url, request) {
  try {
    const { json } = await request(url, "GET", keysPath);
    return json?.keys?.[0]?.x;
  } catch (error) {
    throw new Failure(
      `nobody answers at ${url} (${error.cause?.message ?? error.message}). Name the service by --url.`,
    );
  }
}
