// People who sign in by a code: each asks for one, reads it on the phone, and types it, whatever becomes of the service meanwhile.
import assert from "node:assert/strict";
import { api, until } from "../server.mjs";
import { message } from "../shop.mjs";
import { answered } from "./answered.mjs";

/** So long that no code ends before somebody has typed it. */
const ttlSeconds = 900;
/** The code was used, or has ended. */
const OVER = 3019;

/**
 * Lets `count` people sign in one after another, by a shop whose SMSC is `smsc`. Their messages join those that `shop.accepted` has.
 * Returns for each `{id, number, verified, unanswered}`: how many checks said that the code was right, and how many had no answer.
 * Whose code never came has no check.
 */
export async function signIn(server, shop, smsc, count) {
  const people = [];
  for (let index = 0; index < count; index += 1) people.push(await signInOne(server, shop, smsc));
  return people;
}

let lastNumber = 0;

/** A number that nobody else has. No carrier does anything unusual with those that end in a nine. */
function nextNumber() {
  lastNumber += 1;
  return `+98990${String(lastNumber).padStart(6, "0")}9`;
}

async function signInOne(server, shop, smsc) {
  const number = nextNumber();
  const headers = { "Idempotency-Key": `code-${number}` };
  const body = { recipient: number, ttlSeconds, language: "en" };
  const made = await answered(() => api(server, "POST", "/verify", { key: shop.key, body, headers }));
  assert.equal(made.status, 201, made.text);
  const { id, messageUid: uid, cost } = made.json.data;
  shop.accepted.set(`code-${number}`, { uid, cost, recipients: [number] });
  const person = { id, number, verified: 0, unanswered: 0 };
  const code = await until(() => codeOn(server, shop, smsc, number, uid), {
    interval: 200,
    what: `a code on ${number}`,
  });
  if (code !== LOST) await type(server, shop, person, code);
  return person;
}

const LOST = "lost";

/** The code on a phone, `LOST` if it never comes, and nothing before one of both is known. */
async function codeOn(server, shop, smsc, number, uid) {
  const { recipients } = await answered(() => message(server, shop.key, uid));
  const [submit] = await smsc.submits(number.slice(1));
  if (submit) return /\d{6}/.exec(submit.part.text)[0];
  // Nobody sends it again then.
  return recipients[0].status === "UNKNOWN" ? LOST : null;
}

/** Types the code, again if there was no answer, and once more when it is used. */
async function type(server, shop, person, code) {
  const check = () => api(server, "POST", "/verify/check", { key: shop.key, body: { id: person.id, code } });
  const noted = async () => {
    const answer = await answered(check, () => (person.unanswered += 1));
    if (answer.status === 200 && answer.json.data.verified) person.verified += 1;
    else assert.deepEqual([answer.status, answer.json?.code], [422, OVER], answer.text);
  };
  await noted();
  await noted();
}

/**
 * Each code that came was right once, and its login is approved and told. The answer that says so may be lost, and only then. `hits`
 * are what the receiver of `verify.status` has got.
 */
export async function assertSignedIn(server, shop, people, hits) {
  const arrived = people.filter(({ verified, unanswered }) => verified + unanswered > 0);
  const isTold = ({ id }) => hits.some(({ event }) => event.data.id === id && event.data.status === "APPROVED");
  await until(() => arrived.every(isTold), { what: "an event of each login" });
  for (const { id, number, verified, unanswered } of people) {
    const what = `${number}: ${verified} checks were right, and ${unanswered} had no answer`;
    const { json } = await api(server, "GET", `/verify/${id}`, { key: shop.key });
    const isArrived = verified + unanswered > 0;
    assert.equal(json.data.status, isArrived ? "APPROVED" : "PENDING", what);
    if (isArrived) assert.ok(verified === 1 || (verified === 0 && unanswered > 0), what);
  }
}
