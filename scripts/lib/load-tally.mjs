/**
 * What became of the requests of a run. It keeps each latency: a run has a bounded number of requests, so the percentiles
 * are exact, and no histogram has to be trusted.
 */
export class Tally {
  constructor(requests) {
    this.startedAt = 0;
    this.endedAt = 0;
    this.sent = 0;
    this.answered = 0;
    this.accepted = 0;
    this.limited = 0;
    /** Other answers and failures by what they were, like `400 (code 2001)`. */
    this.others = new Map();
    this.failures = 0;
    this.mostUnderWay = 0;
    /** How often a request had to wait because too many others did. */
    this.delayed = 0;
    this.neverStarted = 0;
    this.latencies = { accepted: new Float64Array(requests), answered: new Float64Array(requests) };
    this.second = { at: 0, accepted: 0, answered: 0 };
  }

  begin(underWay) {
    this.sent += 1;
    this.mostUnderWay = Math.max(this.mostUnderWay, underWay);
  }

  /** Notes an answer, or a failure to get one, and the time since the planned start. */
  end({ status, code, failure }, ms) {
    if (failure !== undefined) {
      this.failures += 1;
      return this.count(`no answer: ${failure}`);
    }
    this.latencies.answered[this.answered++] = ms;
    if (status === 201) this.latencies.accepted[this.accepted++] = ms;
    else if (status === 429) this.limited += 1;
    else this.count(code === undefined ? `${status}` : `${status} (code ${code})`);
  }

  count(what) {
    this.others.set(what, (this.others.get(what) ?? 0) + 1);
  }

  get underWay() {
    return this.sent - this.answered - this.failures;
  }

  /** The percentiles of the requests that were accepted, or of all that were answered, from `first` on. */
  percentiles(kind, first = 0) {
    const sorted = this.latencies[kind].slice(first, this[kind]).sort();
    const at = (share) => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];
    return sorted.length > 0 ? { p50: at(0.5), p90: at(0.9), p99: at(0.99), max: at(1) } : null;
  }
}
