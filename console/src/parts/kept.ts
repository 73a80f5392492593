// What somebody is writing. It stays in the tab over a reload, until it is saved or given up.
import { useState } from "react";
import { useSession } from "../api/session-context.ts";

function read<Value extends object>(name: string, initial: Value): Value {
  try {
    return { ...initial, ...JSON.parse(sessionStorage.getItem(name) ?? "{}") };
  } catch {
    return initial;
  }
}

function write(name: string, value: object) {
  try {
    sessionStorage.setItem(name, JSON.stringify(value));
  } catch {
    // The browser keeps nothing for this site: what is written lasts as long as the page.
  }
}

/** `what` names what is written. Who signs in with another account in the same tab does not see it. */
export function useKept<Value extends object>(what: string, initial: Value) {
  const { account, mode } = useSession();
  const name = `peyk-${what} ${account?.id} ${mode}`;
  const [value, setValue] = useState(() => read(name, initial));
  const change = (part: Partial<Value>) => {
    const next = { ...value, ...part };
    write(name, next);
    setValue(next);
  };
  return { value, change, forget: () => sessionStorage.removeItem(name) };
}
