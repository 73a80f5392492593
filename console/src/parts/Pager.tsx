import { useMessages } from "../base/messages.ts";
import { href, useRoute } from "../base/router.ts";

/** The way to the next page of a list. The place in the list stands in the address, so the browser knows the way back. */
export function Pager({ nextCursor }: { nextCursor: string | null }) {
  const t = useMessages();
  const { path, query } = useRoute();
  const isFirst = !query.has("cursor");
  const at = (cursor: string | null) => href(path, { ...Object.fromEntries(query), cursor });
  if (isFirst && !nextCursor) return null;
  return (
    <div className="pager">
      {!isFirst && <a href={at(null)}>{t.state.newest}</a>}
      {nextCursor && <a href={at(nextCursor)}>{t.state.next}</a>}
    </div>
  );
}
