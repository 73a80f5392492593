/** Prints ratios and aims first, absolute figures second. */
export function print(parts) {
  const aims = parts.flatMap((part) => part.aims ?? []);
  const rows = aims.map(({ what, reached, aim, isReached }) => [what, reached, aim, isReached ? "yes" : "**no**"]);
  if (rows.length > 0) table({ head: ["what", "reached", "aim", "is it reached"], rows });
  for (const one of parts.flatMap((part) => part.tables)) table(one);
}

function table({ head, rows }) {
  const line = (cells) => `| ${cells.join(" | ")} |`;
  console.log(["", line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line)].join("\n"));
}
