/** The times of a run: tests set them themselves. */
const realTime = {
  now: () => performance.now(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};

/**
 * Starts each request at its planned time, whatever has become of those before it. If `inFlight` requests are under way, the
 * next one starts late, and its latency counts from the planned time all the same. When the time is over, what has not
 * started never does. Returns when every request that has started is at its end.
 */
export async function drive({ rate, seconds, requests, inFlight }, { send, tally, signal, time = realTime }) {
  const { now, sleep } = time;
  const begin = now();
  const end = begin + seconds * 1_000;
  let underWay = 0;
  let hasRoom = () => {};
  tally.startedAt = begin;
  const start = async (index, planned) => {
    underWay += 1;
    tally.begin(underWay);
    const answer = await send(index);
    underWay -= 1;
    tally.end(answer, now() - planned);
    hasRoom();
  };
  const room = () => new Promise((resolve) => (hasRoom = resolve));
  let delayed = -1;
  let index = 0;
  while (index < requests && !signal.aborted && now() < end) {
    const planned = begin + (index * 1_000) / rate;
    if (planned > now()) {
      // Short sleeps, so that a signal is heard.
      await sleep(Math.min(planned - now(), 100));
    } else if (underWay < inFlight) {
      start(index++, planned);
    } else {
      if (delayed !== index) tally.delayed += 1;
      delayed = index;
      await Promise.race([room(), sleep(Math.min(end - now(), 100))]);
    }
  }
  tally.neverStarted = requests - index;
  while (underWay > 0) await room();
  tally.endedAt = now();
}
