import type { Delivery } from "./queries.ts";

export type Trouble = {
  since: string;
  error: NonNullable<Delivery["error"]>;
  status: number | null;
  next: string | null;
};

/** Since when every try of an endpoint fails, as its deliveries say, the newest first; `null` if the last one was good. */
export function troubleOf(deliveries: Delivery[]): Trouble | null {
  const tried = deliveries.filter(({ attempts }) => attempts > 0);
  const good = tried.findIndex(({ error }) => error === null);
  const failed = good < 0 ? tried : tried.slice(0, good);
  const newest = failed[0];
  const oldest = failed.at(-1);
  if (!newest?.error || !oldest) return null;
  const nexts = failed.flatMap(({ nextAttemptAt }) => nextAttemptAt ?? []);
  return { since: oldest.createdAt, error: newest.error, status: newest.responseStatus, next: nexts.sort()[0] ?? null };
}
