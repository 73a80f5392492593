// What each sender has sent over several days, made of the usage by day.
import type { Schemas } from "../../api/client.ts";

type OfDay = Schemas["UsageDay"]["keys"][number];

export type Sender = Pick<OfDay, "by" | "title"> & { id: string; messages: number; parts: number; spent: number };

/** Those who have sent anything, who has spent most first. */
export function sendersOf(days: Schemas["UsageDay"][], mode: "live" | "test"): Sender[] {
  const senders = new Map<string, Sender>();
  for (const { key, by, title, ...sums } of days.flatMap(({ keys }) => keys)) {
    const id = key ?? by;
    const { messages, parts, cost, returned } = sums[mode];
    const known = senders.get(id) ?? { id, by, title, messages: 0, parts: 0, spent: 0 };
    senders.set(id, {
      ...known,
      messages: known.messages + messages,
      parts: known.parts + parts,
      spent: known.spent + cost - returned,
    });
  }
  const used = [...senders.values()].filter(({ messages, parts, spent }) => messages + parts > 0 || spent !== 0);
  return used.sort((a, b) => b.spent - a.spent || b.parts - a.parts);
}
