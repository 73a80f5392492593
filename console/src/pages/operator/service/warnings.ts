// What an operator should look at, made of what the service tells of itself.
import { useQuery } from "@tanstack/react-query";
import type { OperatorMessages } from "../../../../messages/operator/en.ts";
import type { Schemas } from "../../../api/client.ts";
import { dataQuery } from "../../../api/queries.ts";
import type { Format } from "../../../format/format.ts";
import { useOperatorTexts } from "../../../format/operator-texts.ts";
import { useSpans } from "../../../format/spans.ts";
import { creditsQuery, deadLettersQuery, pendingQuery, sendingQuery } from "../queries.ts";

type Health = Schemas["ServiceHealth"];

/** `path`: the page where something can be done about it. */
export type Warning = { text: string; path: string | null; query?: Record<string, string> };

/** A login code that waits longer is late, s: the service itself calls it so. */
const lateCode = 60;

export type Looked = { warnings: Warning[] /** Whether all lists have answered. */; isWhole: boolean };

export function useWarnings(health: Health): Looked {
  const { o, format } = useOperatorTexts();
  const { span } = useSpans();
  const lists = useLists();
  const all = Object.values(lists);
  return {
    warnings: [
      ...switchedOff(o, lists),
      ...partsOf(o, health),
      ...carriersOf(o, health),
      ...waitingOf(o, health, span),
      ...countedOf(o, format, lists),
      ...(all.some(({ error }) => error) ? [{ text: o.serviceWarnings.unknown, path: null }] : []),
    ],
    isWhole: all.every(({ data }) => data !== undefined),
  };
}

/** Whether money and messages agree. Each look asks the accounts themselves, so it looks at a few and seldom. */
const reconciliationQuery = dataQuery(
  ["reconciliation", "overview"],
  "/admin/reconciliation",
  { query: { limit: 20 } },
  { staleTime: 600_000 },
);
const differ = (report: Schemas["Report"] | null) => (report?.differences.length ?? 0) > 0;

/** What is asked beside the health of the service. */
function useLists() {
  return {
    sending: useQuery(sendingQuery),
    stuck: useQuery(deadLettersQuery({ kind: "STUCK" })),
    credits: useQuery(creditsQuery("PENDING")),
    patterns: useQuery(pendingQuery()),
    differences: useQuery(reconciliationQuery),
  };
}

type Lists = ReturnType<typeof useLists>;

function switchedOff(o: OperatorMessages, { sending: { data } }: Lists): Warning[] {
  return data && !data.enabled ? [{ text: o.serviceWarnings.sendingOff, path: "/sending" }] : [];
}

function partsOf(o: OperatorMessages, { kv, d1, object, storage }: Health): Warning[] {
  const parts = [
    { name: o.service.database, part: d1 },
    { name: o.service.keyValue, part: kv },
    { name: o.service.object, part: object },
  ];
  const down = parts.filter(({ part }) => part.state !== "UP");
  const warnings: Warning[] = down.map(({ name }) => ({ text: o.serviceWarnings.part(name), path: null }));
  if (storage?.state === "DEGRADED") warnings.push({ text: o.serviceWarnings.storage, path: null });
  return warnings;
}

const troubled = new Set(["DOWN", "HANGS", "THROTTLED", "PAUSED"]);

function carriersOf(o: OperatorMessages, { carriers }: Health): Warning[] {
  return carriers
    .filter(({ state }) => troubled.has(state))
    .map(({ name, state }) => ({
      text: o.serviceWarnings.carrier(`\u2068${name}\u2069`, o.carrierStates[state]),
      path: `/carriers/${name}`,
    }));
}

function waitingOf(o: OperatorMessages, { waiting }: Health, span: (seconds: number) => string): Warning[] {
  if (!waiting) return [];
  const warnings: Warning[] = [];
  if ((waiting.codesOldestSeconds ?? 0) > lateCode)
    warnings.push({ text: o.serviceWarnings.codes(span(waiting.codesOldestSeconds ?? 0)), path: "/carriers" });
  if (waiting.outdated) warnings.push({ text: o.serviceWarnings.outdated, path: "/reconciliation" });
  return warnings;
}

/** What stands in lists that operators work off. */
function countedOf(o: OperatorMessages, format: Format, lists: Lists): Warning[] {
  const counts = [
    { list: lists.stuck.data, text: o.serviceWarnings.stuck, path: "/dead-letters", query: { kind: "STUCK" } },
    { list: lists.credits.data, text: o.serviceWarnings.credits, path: "/credits" },
    { list: lists.patterns.data, text: o.serviceWarnings.patterns, path: "/patterns" },
  ];
  const warnings: Warning[] = counts.flatMap(({ list, text, path, query = {} }) => {
    if (!list || list.data.length === 0) return [];
    const count = format.number(list.data.length);
    return [{ text: text(list.meta.nextCursor ? `${count}+` : count), path, query }];
  });
  const differences = (lists.differences.data ?? []).filter(
    ({ now, nightly }) => differ(now) || differ(nightly),
  ).length;
  if (differences > 0)
    warnings.push({ text: o.serviceWarnings.differences(format.number(differences)), path: "/reconciliation" });
  return warnings;
}
