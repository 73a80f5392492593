import type { Schemas } from "../../../api/client.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { useFormat } from "../../../format/format.ts";
import { Badge } from "../../../parts/Badge.tsx";
import { Code } from "../../../parts/Code.tsx";
import { type Column, Table } from "../../../parts/Table.tsx";

type Erasure = Schemas["Erasure"];

export function ErasureTable({ erasures }: { erasures: Erasure[] }) {
  const o = useOperatorMessages();
  const format = useFormat();
  const columns: Column<Erasure>[] = [
    {
      title: o.erasures.ending,
      isTitle: true,
      cell: ({ numberEnding }) => <Code>…{format.digits(numberEnding)}</Code>,
    },
    {
      title: o.erasures.status,
      cell: ({ status }) => <Badge tone={status === "DONE" ? "good" : "busy"}>{o.erasures.statuses[status]}</Badge>,
    },
    { title: o.erasures.accounts, isNumber: true, cell: ({ accounts }) => format.number(accounts ?? 0) },
    { title: o.erasures.found, isWide: true, cell: ({ found }) => <Found of={found} /> },
    { title: o.erasures.asked, cell: ({ createdAt }) => format.moment(createdAt) },
    { title: o.erasures.done, cell: ({ doneAt }) => (doneAt ? format.moment(doneAt) : "–") },
  ];
  return <Table caption={o.pages.erasures} columns={columns} rows={erasures} idOf={({ id }) => id} />;
}

/** What an order has met. What it has met nothing of is left out. */
function Found({ of }: { of: Erasure["found"] }) {
  const o = useOperatorMessages();
  const format = useFormat();
  const { blacklisted, ...counts } = of;
  const met = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${o.erasures.parts[name as keyof typeof counts]}: ${format.number(count)}`);
  if (blacklisted) met.push(o.erasures.blacklisted);
  return met.length > 0 ? met.join(" · ") : o.erasures.nothing;
}
