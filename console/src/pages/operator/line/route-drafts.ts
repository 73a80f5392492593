// The routes of a line while somebody changes them.
import type { Schemas } from "../../../api/client.ts";
import { latinDigits } from "../../../parts/digits.ts";

type Route = Schemas["Route"];

export type ShareDraft = { id: number; name: string; weight: string };
/** The route without prefixes takes all numbers that no other one takes. There is one always. */
export type RouteDraft = {
  id: number;
  isRest: boolean;
  prefixes: string;
  carriers: ShareDraft[];
  backup: ShareDraft[];
};

let lastId = 0;
const newId = () => ++lastId;

export const newShare = (name: string, weight = 1): ShareDraft => ({ id: newId(), name, weight: String(weight) });

export const newRoute = (carrier: string): RouteDraft => ({
  id: newId(),
  isRest: false,
  prefixes: "",
  carriers: [newShare(carrier)],
  backup: [],
});

export function draftsOf(routes: Route[]): RouteDraft[] {
  const shares = (list: Route["carriers"]) => list.map(({ name, weight }) => newShare(name, weight));
  return inOrder(
    routes.map(({ prefixes, carriers, backup }) => ({
      id: newId(),
      isRest: prefixes.length === 0,
      prefixes: prefixes.join(", "),
      carriers: shares(carriers),
      backup: shares(backup),
    })),
  );
}

/** The order says nothing to the service: a number goes by its longest prefix. People look for the rest at the end. */
export const inOrder = <Of extends { isRest: boolean }>(routes: Of[]): Of[] => [
  ...routes.filter(({ isRest }) => !isRest),
  ...routes.filter(({ isRest }) => isRest),
];

export function routesOf(drafts: RouteDraft[]): Route[] {
  const shares = (list: ShareDraft[]) => list.map(({ name, weight }) => ({ name, weight: weightOf(weight) }));
  return drafts.map(({ prefixes, carriers, backup }) => ({
    prefixes: prefixesOf(prefixes),
    carriers: shares(carriers),
    backup: shares(backup),
  }));
}

const weightOf = (text: string) => Number(latinDigits(text.trim())) || 0;

/** Prefixes as people write them, with a plus or two zeros before. */
const prefixesOf = (text: string) =>
  latinDigits(text)
    .split(/[\s,;،]+/)
    .map((prefix) => prefix.replace(/^(?:\+|00)/, ""))
    .filter(Boolean);

/** Whether the sandbox stands beside a carrier that sends: the service asks for an own word for that. */
export function isMixed(routes: Route[], sandboxes: ReadonlySet<string>): boolean {
  const names = routes.flatMap(({ carriers, backup }) => [...carriers, ...backup].map(({ name }) => name));
  return names.some((name) => sandboxes.has(name)) && names.some((name) => !sandboxes.has(name));
}
