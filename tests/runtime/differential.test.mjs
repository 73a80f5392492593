// Many accounts that share carriers, random mixes of clients and faults, and crashes; then all that the API tells is compared with
// what carriers and receivers saw. `DIFFERENTIAL_SEED` repeats the choices of a run, `DIFFERENTIAL_ROUNDS` makes more of them. The
// size is set by `DIFFERENTIAL_ACCOUNTS`, `DIFFERENTIAL_SENDS` of each, and `DIFFERENTIAL_KILLS` of the runtime; with
// `DIFFERENTIAL_PATIENT=1`, faults are played too that Peyk takes minutes to learn about. `npm run world` is a large one.
import { randomInt } from "node:crypto";
import { cpSync, rmSync } from "node:fs";
import { after, test } from "node:test";
import { inRoot } from "../../scripts/lib/base/paths.mjs";
import { randomFrom } from "../../scripts/lib/base/random.mjs";
import { sendMix } from "../support/differential/load.mjs";
import { assertWorldAtRest } from "../support/differential/rest.mjs";
import { openWorld } from "../support/differential/world.mjs";
import { openDoor } from "../support/peers/door.mjs";
import { sharedServer, until } from "../support/server.mjs";

const setting = (name, usual) => Number(process.env[`DIFFERENTIAL_${name}`] ?? usual);
const seed = setting("SEED", randomInt(2 ** 31));
const [accounts, sends, kills] = [setting("ACCOUNTS", 24), setting("SENDS", 4), setting("KILLS", 1)];
const isPatient = setting("PATIENT", 0) === 1;

let door;
const server = sharedServer(undefined, async (starting) => {
  door = await openDoor(starting);
  return { PUBLIC_URL: door.url, WEBHOOK_RETRY_SECONDS: "1,1,1,1,1,1,1,1,1,1,1,1" };
});
after(() => door?.close());

async function round(number) {
  const random = randomFrom(seed + number);
  const began = performance.now();
  const say = (what) => console.log(`after ${Math.round((performance.now() - began) / 1_000)} s: ${what}`);
  console.log(`DIFFERENTIAL_SEED=${seed + number}`);
  const world = await openWorld(server, random, { accounts, sends, isPatient });
  const { shops } = world;
  try {
    say(`${accounts} accounts are open`);
    const load = Promise.all(shops.map((shop) => sendMix(server, shop, sends, random)));
    await killedInBetween(shops, random, say);
    await load;
    say("all is sent");

    await assertWorldAtRest(server, world, say);
  } catch (error) {
    if (isPatient) await keepStores();
    throw error;
  } finally {
    await world.close();
  }
}

/** Keeps the stores of a large world, which is seldom met a second time, for whoever looks for the fault. */
async function keepStores() {
  await server.kill();
  const kept = inRoot("build", "world");
  rmSync(kept, { recursive: true, force: true });
  cpSync(server.stateDir, kept, { recursive: true });
  console.log(`the stores are in ${kept}`);
}

/** Kills the runtime at moments while shops send, and starts it again each time. */
async function killedInBetween(shops, random, say) {
  const answers = () => shops.reduce((total, { accepted }) => total + accepted.size, 0);
  // Some sends are refused, so the last ones are no moment that surely comes.
  const share = Math.floor((accounts * sends * 0.7) / kills);
  for (let kill = 0; kill < kills; kill += 1) {
    const moment = kill * share + random.integer(Math.floor(share / 4), share);
    await until(() => answers() >= moment, { interval: 5, what: "the moment of the crash" });
    for (const shop of shops) shop.crashes += 1;
    await server.kill();
    say(`killed after ${answers()} answers`);
    await server.restart();
  }
}

for (let number = 0; number < setting("ROUNDS", 1); number += 1)
  test(`all that the API tells is what its peers saw, round ${number}`, () => round(number));
