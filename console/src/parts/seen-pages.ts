// The pages of lists that were seen in this tab. The service tells the way to the next page alone, so the way back is kept here.

const name = "peyk-pages";
/** More are not kept: the oldest is forgotten first. */
const most = 200;

type Pair = [page: string, before: string];

function read(): Pair[] {
  try {
    return JSON.parse(sessionStorage.getItem(name) ?? "[]");
  } catch {
    return [];
  }
}

/** Notes from which address a page was reached. */
export function noteNext(page: string, before: string) {
  const others = read().filter(([seen]) => seen !== page);
  try {
    sessionStorage.setItem(name, JSON.stringify([...others, [page, before]].slice(-most)));
  } catch {
    // The browser keeps nothing for this site: its own back button is the way back.
  }
}

/** The address of the page before; `undefined` if it was not seen in this tab. */
export const pageBefore = (page: string): string | undefined => read().find(([seen]) => seen === page)?.[1];
