// Carriers and a receiver that do what real ones do at their worst, and note all that they see. The last digit of a number
// decides what becomes of it, so the test knows what Peyk has to tell.
import { setTimeout as sleep } from "node:timers/promises";
import { startGateway } from "../peers/gateway.mjs";
import { startSmscProcess } from "../peers/smsc-process.mjs";
import { listen } from "../receiver.mjs";

/** How a number ends that a carrier took, as an SMSC and as a gateway report it, and as Peyk tells it. */
const endings = {
  3: { state: "UNDELIV", code: "2", status: "UNDELIVERED" },
  5: { state: "EXPIRED", code: "1", status: "EXPIRED" },
};
const delivered = { state: "DELIVRD", code: "1", status: "DELIVERED" };
/** No carrier takes a number with this last digit. */
const REFUSED = "7";

const digitOf = (number) => number.at(-1);
const endingOf = (number) => endings[digitOf(number)] ?? delivered;

/** What Peyk has to tell of a number that this kind of carrier took. A gateway can't report that a message came too late. */
export const statusAfter = (kind, number) =>
  kind === "http" && digitOf(number) === "5" ? "DELIVERED" : endingOf(number).status;
export const isRefused = (number) => digitOf(number) === REFUSED;

/**
 * An SMSC that throttles, up to so many `throttlings`, loses answers, is slow, drops its connection, and reports early, late and
 * twice. Of a long message it reports these `parts`. See smsc.mjs for the other options.
 */
export async function startFaultySmsc(random, { throttlings, parts = "all", ...options }) {
  const some = () => ({ skip: random.integer(0, 15), times: random.integer(1, 3) });
  const rules = [
    { to: `${REFUSED}$`, status: "ESME_RINVDSTADR" },
    { to: "3$", receipts: { state: endings[3].state } },
    { to: "5$", receipts: { state: endings[5].state, delayMs: random.integer(0, 800) } },
    { to: "0$", ...some(), times: random.integer(1, throttlings), status: "ESME_RTHROTTLED" },
    { to: "1$", ...some(), answer: "drop" },
    { to: "2$", delayMs: random.integer(1, 500) },
    { to: "4$", ...some(), times: 1, next: "close" },
    { to: "6$", receipts: { when: "before" } },
    { to: "8$", receipts: { times: 2 } },
  ];
  const receipts = {
    state: "DELIVRD",
    where: random.oneOf(["text", "tlv", "both"]),
    delayMs: random.integer(0, 300),
    parts,
  };
  return Object.assign(await startSmscProcess({ rules, receipts, ...options }), { reportsAll: parts === "all" });
}

/**
 * A gateway that answers late, not at all, with a failure, or by closing the connection. It reports on all that it may have
 * taken until Peyk has its report, in any order. `taken` has the numbers.
 */
export async function startFaultyGateway(random) {
  const taken = [];
  const reports = [];
  const failed = new Set();
  let isStopped = false;
  const accepted = { status: 202, text: "0: Accepted for delivery" };
  const take = (request, answer, afterMs) => {
    taken.push(request.to);
    reports.push(report(request, afterMs, () => isStopped));
    return answer;
  };
  const gateway = await startGateway((request, isUsed) => {
    const { to } = request;
    if (isRefused(to)) return { status: 400, text: "Not allowed receiver" };
    if (digitOf(to) === "0" && !failed.has(to)) {
      failed.add(to);
      return { status: 503, text: "Temporal failure, try again later." };
    }
    if (digitOf(to) === "1" && random.isTrue(0.2)) return take(request, null, 3_000);
    if (digitOf(to) === "2" && isUsed && random.isTrue(0.3)) return take(request, { octets: "" }, 1_000);
    return take(request, accepted, random.integer(0, 1_500));
  });
  /** Waits until Peyk has all reports, and gives the numbers that they are of. */
  const reported = async () => new Set(await Promise.all(reports));
  const stop = () => {
    isStopped = true;
    gateway.stop();
  };
  return { ...gateway, taken, reported, stop };
}

/** Tells what became of a request, until Peyk has heard it or the gateway is stopped. */
async function report({ "dlr-url": address, to }, afterMs, isStopped) {
  await sleep(afterMs);
  const url = address.replace("%d", endingOf(to).code).replaceAll(/%[A-Za-z]/g, "");
  while (!isStopped()) {
    const answer = await fetch(url, { headers: { connection: "close" } }).catch(() => null);
    if (answer?.status === 200) return to;
    await sleep(200);
  }
}

/** A receiver that fails, breaks off and takes its time. What it has taken is marked (`isTaken`). */
export async function startFaultyReceiver(random) {
  const receiver = await listen(async (hit, hits) => {
    if (random.isTrue(0.1)) return 500;
    if (random.isTrue(0.05)) return null;
    if (hits.length % 5 === 0) await sleep(random.integer(0, 200));
    hit.isTaken = true;
    return 200;
  });
  return receiver;
}
