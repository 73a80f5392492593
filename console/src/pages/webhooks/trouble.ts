import type { Schemas } from "../../api/client.ts";

type Delivery = Schemas["Delivery"];

export type Trouble = {
  error: NonNullable<Delivery["error"]>;
  status: number | null;
  next: string | null;
};

/** What is wrong with an endpoint, as its deliveries say, the newest first; `null` if the last one that was tried was good. */
export function troubleOf(deliveries: Delivery[]): Trouble | null {
  const tried = deliveries.filter(({ attempts }) => attempts > 0);
  const good = tried.findIndex(({ error }) => error === null);
  const failed = good < 0 ? tried : tried.slice(0, good);
  const newest = failed[0];
  if (!newest?.error) return null;
  const nexts = failed.flatMap(({ nextAttemptAt }) => nextAttemptAt ?? []);
  return { error: newest.error, status: newest.responseStatus, next: nexts.sort()[0] ?? null };
}
