/**
 * Prints ratios and aims first, absolute figures second. A part has `aims`, `tables`, and `noise` if something has disturbed it, in
 * words: then each of its verdicts and tables says so.
 */
export const print = (parts) => console.log(linesOf(parts).join("\n"));

/** What is printed, as Markdown. */
export function linesOf(parts) {
  const verdict = ({ isReached }, noise) => `${isReached ? "yes" : "**no**"}${noise ? ", in noise" : ""}`;
  const rows = parts.flatMap(({ aims = [], noise }) =>
    aims.map((aim) => [aim.what, aim.reached, aim.aim, verdict(aim, noise)]),
  );
  const aims = rows.length > 0 ? table({ head: ["what", "reached", "aim", "is it reached"], rows }) : [];
  return [...aims, ...parts.flatMap(({ tables, noise }) => tables.flatMap((one) => table(one, noise)))];
}

function table({ head, rows }, noise) {
  const line = (cells) => `| ${cells.join(" | ")} |`;
  const mark = noise ? ["", `**Measured beside other work: ${noise}.**`] : [];
  return [...mark, "", line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line)];
}
