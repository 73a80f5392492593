import { useEffect } from "react";
import { useMessages } from "../base/messages.ts";
import { href, useRoute } from "../base/router.ts";
import { noteNext, pageBefore } from "./seen-pages.ts";

/** The ways to the pages around one of a list. The place in the list stands in the address, so the browser knows the way back, too. */
export function Pager({ nextCursor }: { nextCursor: string | null }) {
  const t = useMessages();
  const { path, query } = useRoute();
  const isFirst = !query.has("cursor");
  const at = (cursor: string | null) => href(path, { ...Object.fromEntries(query), cursor });
  const here = at(query.get("cursor"));
  const next = nextCursor && at(nextCursor);
  const before = isFirst ? undefined : pageBefore(here);
  useEffect(() => {
    // While a page is on its way, the list may still show the one before, of which this is the next.
    if (next && next !== here) noteNext(next, here);
  }, [next, here]);
  if (isFirst && !next) return null;
  return (
    <div className="pager">
      {!isFirst && before !== at(null) && <a href={at(null)}>{t.state.newest}</a>}
      {before && <a href={before}>{t.state.previous}</a>}
      {next && <a href={next}>{t.state.next}</a>}
    </div>
  );
}
