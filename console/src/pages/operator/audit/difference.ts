// What a change has changed: each value that differs, with its place in the thing.

export type State = Record<string, unknown> | null;
/** `undefined`: there was or is no value. */
export type Difference = { path: string; before: string | undefined; after: string | undefined };
export type Act = "created" | "changed" | "removed" | "shown";

export function actOf(before: State, after: State): Act {
  if (after?.shown === true) return "shown";
  if (before === null) return "created";
  return after === null ? "removed" : "changed";
}

export function differencesOf(before: State, after: State): Difference[] {
  const old = leavesOf(before);
  const now = leavesOf(after);
  const paths = [...new Set([...old.keys(), ...now.keys()])];
  return paths
    .map((path) => ({ path, before: old.get(path), after: now.get(path) }))
    .filter((difference) => difference.before !== difference.after);
}

/** A list is one value: its items have no names of their own. */
function leavesOf(state: State): Map<string, string> {
  const leaves = new Map<string, string>();
  const visit = (value: unknown, path: string) => {
    if (isObject(value))
      for (const [name, inner] of Object.entries(value)) visit(inner, path ? `${path}.${name}` : name);
    else if (value !== null) leaves.set(path, typeof value === "string" ? value : JSON.stringify(value));
  };
  if (state) visit(state, "");
  return leaves;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
