// What an operator should look at, made of what the service tells of itself.
import { useQuery } from "@tanstack/react-query";
import type { OperatorMessages } from "../../../../messages/operator/en.ts";
import type { Schemas } from "../../../api/client.ts";
import type { Format } from "../../../format/format.ts";
import { useOperatorTexts } from "../../../format/operator-texts.ts";
import { creditsQuery, deadLettersQuery, pendingQuery, sendingQuery } from "../queries.ts";

type Health = Schemas["ServiceHealth"];

/** `path`: the page where something can be done about it. */
export type Warning = { text: string; path: string | null; query?: Record<string, string>; isUrgent?: boolean };

export type Looked = { warnings: Warning[] /** Whether all lists have answered. */; isWhole: boolean };

export function useWarnings(health: Health): Looked {
  const { o, format } = useOperatorTexts();
  const lists = useLists();
  const all = Object.values(lists);
  return {
    warnings: [
      ...switchedOff(o, lists),
      ...partsOf(o, health),
      ...worriesOf(o, health),
      ...pausedOf(o, health),
      ...countedOf(o, format, lists),
      ...(all.some(({ error }) => error) ? [{ text: o.serviceWarnings.unknown, path: null }] : []),
    ],
    isWhole: all.every(({ data }) => data !== undefined),
  };
}

/** What is asked beside the health of the service. */
function useLists() {
  return {
    sending: useQuery(sendingQuery),
    stuck: useQuery(deadLettersQuery({ kind: "STUCK" })),
    credits: useQuery(creditsQuery("PENDING")),
    patterns: useQuery(pendingQuery()),
  };
}

type Lists = ReturnType<typeof useLists>;

function switchedOff(o: OperatorMessages, { sending: { data } }: Lists): Warning[] {
  return data && !data.enabled ? [{ text: o.serviceWarnings.sendingOff, path: "/sending" }] : [];
}

function partsOf(o: OperatorMessages, { kv, d1, object }: Health): Warning[] {
  const parts = [
    { name: o.service.database, part: d1 },
    { name: o.service.keyValue, part: kv },
    { name: o.service.object, part: object },
  ];
  const down = parts.filter(({ part }) => part.state !== "UP");
  return down.map(({ name }) => ({ text: o.serviceWarnings.part(name), path: null }));
}

type Worry = Health["worries"][number];

/** Where something can be done about a worry. A code that this console does not know leads nowhere. */
const ways: Partial<Record<Worry["code"], (name: string) => string>> = {
  OBJECT_FULL: (name) => `/carriers/${name}`,
  ACCOUNT_FULL: () => "/reconciliation",
  EVENTS_LATE: () => "/reconciliation",
  CODES_LATE: () => "/carriers",
  ACCOUNT_SILENT: () => "/reconciliation",
  CARRIER_DOWN: (name) => `/carriers/${name}`,
  CARRIER_HANGS: (name) => `/carriers/${name}`,
  CARRIER_THROTTLED: (name) => `/carriers/${name}`,
  BINDS_MISSING: (name) => `/carriers/${name}`,
  REPORTS_STOPPED: (name) => `/carriers/${name}`,
  LINE_WITHOUT_WAY: (name) => `/lines/${name}`,
  MONEY_DIFFERS: () => "/reconciliation",
  COPIES_DIFFER: () => "/reconciliation",
  ERASURE_LATE: () => "/erasures",
};

function worriesOf(o: OperatorMessages, { worries }: Health): Warning[] {
  return worries.map(({ code, about, urgent, text }) => {
    const name = about ?? "";
    const say: ((name: string) => string) | undefined = o.serviceWorries[code];
    return {
      text: say?.(`\u2068${name}\u2069`) ?? text,
      path: ways[code]?.(encodeURIComponent(name)) ?? null,
      isUrgent: urgent,
    };
  });
}

/** What an operator has stopped is no worry of the service, and easily forgotten. */
function pausedOf(o: OperatorMessages, { carriers }: Health): Warning[] {
  const paused = carriers.filter(({ state }) => state === "PAUSED");
  return paused.map(({ name }) => ({
    text: o.serviceWarnings.paused(`\u2068${name}\u2069`),
    path: `/carriers/${name}`,
  }));
}

/** What stands in lists that operators work off. */
function countedOf(o: OperatorMessages, format: Format, lists: Lists): Warning[] {
  const counts = [
    { list: lists.stuck.data, text: o.serviceWarnings.stuck, path: "/dead-letters", query: { kind: "STUCK" } },
    { list: lists.credits.data, text: o.serviceWarnings.credits, path: "/credits" },
    { list: lists.patterns.data, text: o.serviceWarnings.patterns, path: "/patterns" },
  ];
  return counts.flatMap(({ list, text, path, query = {} }) => {
    if (!list || list.data.length === 0) return [];
    const count = format.number(list.data.length);
    return [{ text: text(list.meta.nextCursor ? `${count}+` : count), path, query }];
  });
}
