// What an SMSC does with a submit, as data, so that an SMSC in a process of its own can be told too.

/**
 * A rule: `to` (a regular expression that the number must match), `skip` (how many matching submits it lets pass first),
 * `times` (how many it then applies to). What the SMSC does:
 *
 * - `status`: refuses the submit with this error, for example "ESME_RTHROTTLED".
 * - `answer`: takes it, and answers "hold" (when it is told to release) or "drop" (never). Otherwise it answers at once,
 *   or after `delayMs`.
 * - `next`: does this afterwards: "close" (drops the connection), "unbind", or "die" (SIGKILL to its own process).
 * - `receipts`: changes the settings of the same name for this submit; `null` sends none.
 */
export class Rules {
  #rules;

  constructor(rules) {
    this.#rules = rules.map((rule) => ({ ...rule, seen: 0, pattern: new RegExp(rule.to ?? "") }));
  }

  /** Returns the first rule that applies, or an empty one. */
  match(to) {
    for (const rule of this.#rules) {
      if (!rule.pattern.test(to)) continue;
      rule.seen += 1;
      const { skip = 0, times = Number.POSITIVE_INFINITY } = rule;
      if (rule.seen > skip && rule.seen <= skip + times) return rule;
    }
    return {};
  }
}
