import { keepPreviousData } from "@tanstack/react-query";
import type { Schemas } from "../../../api/client.ts";
import { useMay } from "../../../api/session-context.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { goTo, useRoute } from "../../../base/router.ts";
import { useOperatorTexts } from "../../../format/operator-texts.ts";
import { Code } from "../../../parts/Code.tsx";
import { Empty } from "../../../parts/Empty.tsx";
import { Listing, usePage } from "../../../parts/Listing.tsx";
import { Page } from "../../../parts/Page.tsx";
import { type Column, Table } from "../../../parts/Table.tsx";
import { LineLink, linePath, Waiting } from "../shared/Links.tsx";
import { NameFilter } from "../shared/NameFilter.tsx";
import { LineBadge } from "./LineBadge.tsx";
import { NewLine } from "./NewLine.tsx";

export default function Lines() {
  const o = useOperatorMessages();
  const mayChange = useMay("admin:carriers");
  const show = (number: string) => goTo(linePath(number));
  return (
    <Page
      title={o.pages.lines}
      scope="admin:read"
      adds={mayChange && o.lines.add}
      form={(close) => <NewLine onClose={close} onMade={show} />}
    >
      <NameFilter label={o.lines.find} />
      <Found />
    </Page>
  );
}

function Found() {
  const o = useOperatorMessages();
  const { query } = useRoute();
  const q = query.get("q") ?? "";
  const list = usePage(
    ["lines", "list"],
    "/admin/lines",
    { query: { q } },
    { refetchInterval: 15_000, placeholderData: keepPreviousData },
  );
  return (
    <Listing query={list} empty={<Empty title={q ? o.lines.noneFound : o.lines.none} />}>
      {(data) => <LineTable lines={data} />}
    </Listing>
  );
}

function LineTable({ lines }: { lines: Schemas["Line"][] }) {
  const { o, format } = useOperatorTexts();
  const columns: Column<Schemas["Line"]>[] = [
    {
      title: o.lines.number,
      isTitle: true,
      cell: ({ number }) => <LineLink number={number} />,
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
      cell: ({ waiting }) => <Waiting of={waiting} />,
    },
  ];
  return <Table caption={o.pages.lines} columns={columns} rows={lines} idOf={({ number }) => number} />;
}

/** The carriers of all routes of a line; those that are only for backup stand behind the others. */
function Carriers({ line: { routes } }: { line: Schemas["Line"] }) {
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
