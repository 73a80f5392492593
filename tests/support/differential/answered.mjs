import { setTimeout as sleep } from "node:timers/promises";

/** Asks until there is an answer, while the service comes and goes. `missed` hears of each that was lost. */
export async function answered(ask, missed = () => {}) {
  for (;;) {
    const answer = await ask().catch(() => null);
    if (answer && answer.status !== 503) return answer;
    missed();
    await sleep(100);
  }
}
