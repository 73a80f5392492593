import type { Estimate } from "./queries.ts";

/** What several messages of one draft take together. Their texts are the same, with values of other people. */
export function sumOf(estimates: Estimate[]) {
  const [first] = estimates;
  const faults = new Map(estimates.flatMap(({ faults }) => faults.map((fault) => [fault.code, fault])));
  return {
    recipients: estimates.reduce((sum, { recipients }) => sum + recipients, 0),
    skipped: estimates.reduce((sum, { skipped = 0 }) => sum + skipped, 0),
    cost: estimates.reduce((sum, { cost }) => sum + cost, 0),
    parts: Math.max(0, ...estimates.map(({ parts }) => parts)),
    encoding: estimates.find(({ encoding }) => encoding === "UCS2")?.encoding ?? first?.encoding ?? "GSM7",
    unit: first?.unit ?? "",
    test: first?.test ?? false,
    sourceNumber: first?.sourceNumber ?? "",
    suffix: first?.suffix,
    waitsUntil: first?.waitsUntil,
    samples: (first?.samples ?? []).slice(0, 3),
    faults: [...faults.values()],
    warnings: [...new Set(estimates.flatMap(({ warnings }) => warnings))],
  };
}
