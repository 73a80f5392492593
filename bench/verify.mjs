import { say } from "../scripts/lib/base/command.mjs";
import { number } from "./aims.mjs";
import { ask, openAccount } from "./ask.mjs";
import { seconds } from "./load.mjs";

const concurrency = 32;
/** The length of a code: the last digits of the number, for a test key. */
const digits = 6;

/**
 * Codes that are sent and checked, in one account: `POST /verify` and then `POST /verify/check` with the right code. A test key asks,
 * because nobody else knows its codes. So no carrier gets the messages; all else is as for a live key.
 */
export async function measureVerify(peyk) {
  const { baseUrl, adminKey } = peyk;
  const { id } = await openAccount(peyk, "bench-verify");
  const testRateLimit = { limit: 1_000_000, windowSeconds: 1, burst: 10_000 };
  await ask(baseUrl, "PATCH", `/admin/accounts/${id}`, adminKey, { testRateLimit });
  const { key } = await ask(baseUrl, "POST", `/admin/accounts/${id}/keys`, adminKey, { title: "test", mode: "test" });
  say(`sending and checking codes for ${seconds} seconds …`);
  const times = [];
  const started = performance.now();
  let next = 0;
  const work = async () => {
    while (performance.now() - started < seconds * 1_000) {
      const pair = performance.now();
      // Each number is new, and none rehearses an error: those end in 9 and four digits.
      const number = `0912${String(next++).padStart(6, "0")}1`;
      const { id } = await ask(baseUrl, "POST", "/verify", key, { recipient: number });
      const checked = await ask(baseUrl, "POST", "/verify/check", key, { id, code: number.slice(-digits) });
      if (!checked.verified) throw new Error(`${number}: the code was not right`);
      times.push(performance.now() - pair);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  const took = (performance.now() - started) / 1_000;
  return report(times, took);
}

function report(times, took) {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share) => number(sorted[Math.floor((sorted.length - 1) * share)], 1);
  return {
    aims: [],
    tables: [
      {
        head: ["codes, one account", "pairs", "pairs/s", "p50 ms", "p99 ms"],
        rows: [
          [
            `sent and checked, ${concurrency} at a time`,
            number(times.length),
            number(times.length / took),
            at(0.5),
            at(0.99),
          ],
        ],
      },
    ],
  };
}
