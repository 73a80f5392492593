import type { Schemas } from "../../../api/client.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { href } from "../../../base/router.ts";
import { useFormat } from "../../../format/format.ts";
import { useSpans } from "../../../format/spans.ts";
import { Code } from "../../../parts/Code.tsx";
import { type Column, Table } from "../../../parts/Table.tsx";
import { LineBadge } from "./LineBadge.tsx";

type Line = Schemas["Line"];

export function LineTable({ lines }: { lines: Line[] }) {
  const o = useOperatorMessages();
  const format = useFormat();
  const { span } = useSpans();
  const columns: Column<Line>[] = [
    {
      title: o.lines.number,
      isTitle: true,
      cell: ({ number }) => (
        <a href={href(`/lines/${encodeURIComponent(number)}`)}>
          <Code>{format.digits(number)}</Code>
        </a>
      ),
    },
    { title: o.lines.state, cell: (line) => <LineBadge line={line} /> },
    { title: o.lines.carriers, isWide: true, cell: (line) => <Carriers line={line} /> },
    {
      title: o.lines.accounts,
      cell: ({ shared, accounts, accountsTruncated }) => {
        const count = format.number(accounts.length);
        return shared ? o.lines.shared : o.lines.accountsOf(accountsTruncated ? o.lines.orMore(count) : count);
      },
    },
    { title: o.lines.operations, cell: ({ operations }) => operations.map((name) => o.operations[name]).join(o.comma) },
    {
      title: o.carriers.waiting,
      isNumber: true,
      cell: ({ waiting }) => (
        <span className="two-lines">
          {format.number(waiting.recipients)}
          {waiting.oldestSeconds !== null && <small>{o.carriers.oldest(span(waiting.oldestSeconds))}</small>}
        </span>
      ),
    },
  ];
  return <Table caption={o.pages.lines} columns={columns} rows={lines} idOf={({ number }) => number} />;
}

/** The carriers of all routes of a line; those that are only for backup stand behind the others. */
function Carriers({ line: { routes } }: { line: Line }) {
  const o = useOperatorMessages();
  const namesOf = (of: "carriers" | "backup") => routes.flatMap((route) => route[of].map(({ name }) => name));
  const main = [...new Set(namesOf("carriers"))];
  const backup = [...new Set(namesOf("backup"))].filter((name) => !main.includes(name));
  return (
    <span className="two-lines">
      <Code>{main.join(", ")}</Code>
      {backup.length > 0 && <small>{o.lines.backup(`\u2068${backup.join(", ")}\u2069`)}</small>}
    </span>
  );
}
