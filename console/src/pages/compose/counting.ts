// What a text takes and costs, counted in the page by the service's own code: so it is there with each key stroke. It counts what it has
// all numbers of. The service is asked for phonebooks, if the key lacks `account:read`, and always once more before the last look.
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Count, Recipient, Terms } from "../../../counting/src/types.ts";
import { useMay } from "../../api/session-context.ts";
import { linesQuery } from "../queries.ts";
import type { Kind } from "./draft.ts";
import { type Line, type Tariff, tariffQuery } from "./queries.ts";

export type { Count };
export type Counted = { count: Count; recipients: Recipient[] };

/** The code loads with the composer, and not before. */
const codeQuery = queryOptions({
  queryKey: ["counting"],
  queryFn: async () => {
    const { default: load, Counter } = await import("peyk-counting");
    await load();
    return { Counter };
  },
  staleTime: Infinity,
  gcTime: Infinity,
  structuralSharing: false,
});

function termsOf(kind: Kind, wanted: string, lines: Line[], tariff: Tariff): Terms | null {
  const line = lines.find(({ number }) => number === wanted) ?? lines.find((line) => line.default);
  const coefficients = tariff.textsCoefficients.find(({ title }) => title === line?.number);
  if (!line || !coefficients) return null;
  const { destinations, maxParts } = tariff;
  return {
    tariff: tariff.tariff,
    coefficients,
    operation: kind === "pattern" ? "PATTERN" : "WEBSERVICE",
    cheapest: line.cheapest,
    suffix: line.suffix,
    destinations,
    maxParts,
  };
}

/**
 * Counts a text for numbers that the page has; `undefined` until it can. `null`: the service has to be asked, because the key may not
 * see prices, or because the numbers are in phonebooks.
 */
export function useCount(kind: Kind, line: string, numbers: string[], text: string): Counted | null | undefined {
  const mayCount = useMay("account:read") && kind !== "phonebooks";
  const { data: lines, error: noLines } = useQuery({ ...linesQuery, enabled: mayCount });
  const { data: tariff, error: noTariff } = useQuery({ ...tariffQuery, enabled: mayCount });
  const { data: code, error: noCode } = useQuery({ ...codeQuery, enabled: mayCount });
  const counter = useMemo(() => {
    if (!code || !lines || !tariff) return undefined;
    const terms = termsOf(kind, line, lines, tariff);
    return terms && new code.Counter(terms);
  }, [kind, line, lines, tariff, code]);
  const recipients = useMemo(() => counter?.setRecipients(numbers), [counter, numbers]);
  const isImpossible = !mayCount || counter === null || noLines || noTariff || noCode;
  return useMemo(() => {
    if (isImpossible) return null;
    return counter && recipients && { count: counter.count(text), recipients };
  }, [isImpossible, counter, recipients, text]);
}
