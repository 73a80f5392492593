// Goes through what is to be done, a step after the other, and says of each what became of it.
import { Refused, Unsure } from "./service.mjs";

/** How often a step is looked at when nobody knows whether it was done. */
const mostLooks = 4;

/** What each kind of outcome is called: before it is done, and after. */
const words = {
  MADE: ["would be made", "made"],
  VERSION: ["would get a new version", "with a new version"],
  ACTIVATED: ["would be activated", "activated"],
  SAME: ["there already", "there already"],
  WAITS: ["there, but not approved", "there, but not approved"],
  BAD: ["bad", "bad"],
  LEFT: ["not reached", "not reached"],
};

const left = { kind: "LEFT", note: "not reached" };

/**
 * Does the steps, or with `go` false only looks what they would do. A step is `{line, name, look}`; `look` returns `{kind, note, act}`.
 * Bad lines are told in their places. Returns whether all is well.
 */
export async function walk(steps, bad, { service, go, print, what }) {
  const told = bad.map(({ line, name = "", faults }) => ({
    line,
    name,
    kind: "BAD",
    note: `bad: ${faults.join("; ")}`,
  }));
  const all = [...steps, ...told].sort((one, other) => one.line - other.line);
  const [counts, show] = [new Map(), printer(all, what, print)];
  let [stopped, waiting] = [null, 0];
  for (const step of all) {
    const outcome = stopped && step.look ? left : await outcomeOf(step, go, service);
    stopped ??= outcome.stopped;
    counts.set(outcome.kind, (counts.get(outcome.kind) ?? 0) + 1);
    waiting += outcome.waits ? 1 : 0;
    show(step, outcome.note);
  }
  print(`\n${[...counts].map(([kind, count]) => `${count} ${words[kind][go ? 1 : 0]}`).join(", ")}`);
  if (waiting > 0) print(`${waiting} wait for approval: an operator activates them, and sends use them from then on`);
  if (stopped) throw stopped;
  return !counts.has("BAD");
}

/** An error that is not about this step alone stops all. `before` of an error says what was done before it. */
async function outcomeOf(step, go, service) {
  if (!step.look) return step;
  try {
    return await settled(step, go, service);
  } catch (error) {
    const before = error.before ? `${error.before}; ` : "";
    if (error instanceof Refused) return { kind: "BAD", note: `${before}refused: ${error.message}` };
    const said = error instanceof Unsure ? "nobody knows whether it was done" : "broken off";
    return { kind: "LEFT", note: `${before}${said}: ${error.message}`, stopped: error };
  }
}

/** If nobody knows whether a step was done, the next look tells. */
async function settled({ look }, go, service) {
  for (let looks = 1; ; looks += 1) {
    const plan = await look();
    if (!go || !plan.act) return plan;
    try {
      return await plan.act();
    } catch (error) {
      if (!(error instanceof Unsure) || looks === mostLooks) throw error;
      await service.pause(Math.min(error.wait, 60));
    }
  }
}

/** Prints a row at once, so that whoever ends the program has read what was done. */
function printer(rows, what, print) {
  const widthOf = (title, cell) => Math.max(title.length, ...rows.map((row) => cell(row).length));
  const line = widthOf("line", (row) => `${row.line}`);
  const name = widthOf(what, (row) => shown(row.name));
  print(`${"line".padStart(line)}  ${what}`);
  return (row, note) => print(`${`${row.line}`.padStart(line)}  ${shown(row.name).padEnd(name)}  ${clean(note)}`);
}

/** What comes from a file must not steer the terminal. */
export const clean = (text) => text.replace(/\p{Cc}/gu, " ");

const shown = (name) => clean(name).slice(0, 64);
