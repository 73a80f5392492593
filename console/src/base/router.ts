// The address behind the `#`, such as `/messages?status=QUEUED`: the server has one page, and the browser keeps the way back.
import { useMemo, useSyncExternalStore } from "react";

export type Route = { path: string; query: URLSearchParams };

const hash = () => location.hash.slice(1) || "/";

function subscribe(listener: () => void) {
  addEventListener("hashchange", listener);
  return () => removeEventListener("hashchange", listener);
}

export function useRoute(): Route {
  const address = useSyncExternalStore(subscribe, hash);
  return useMemo(() => {
    const [path = "/", query = ""] = address.split("?", 2);
    return { path, query: new URLSearchParams(query) };
  }, [address]);
}

export type Query = Record<string, string | null | undefined>;

/** The link to a page. What of the query is empty is left out. */
export function href(path: string, query: Query = {}): string {
  const kept = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  const text = new URLSearchParams(kept).toString();
  return `#${path}${text && `?${text}`}`;
}

export function goTo(path: string, query: Query = {}) {
  location.hash = href(path, query);
}
