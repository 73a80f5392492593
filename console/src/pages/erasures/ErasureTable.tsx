import type { Schemas } from "../../api/client.ts";
import { useMessages } from "../../base/messages.ts";
import { useFormat } from "../../format/format.ts";
import { Badge } from "../../parts/Badge.tsx";
import { Code } from "../../parts/Code.tsx";
import { type Column, Table } from "../../parts/Table.tsx";

type Erasure = Schemas["Erasure"];

export function ErasureTable({ erasures }: { erasures: Erasure[] }) {
  const t = useMessages();
  const format = useFormat();
  const columns: Column<Erasure>[] = [
    {
      title: t.erasures.number,
      isTitle: true,
      cell: ({ numberEnding }) => <Code>{`…${format.digits(numberEnding)}`}</Code>,
    },
    {
      title: t.erasures.state,
      cell: ({ status }) => <Badge tone={status === "DONE" ? "good" : "busy"}>{t.erasureStatuses[status]}</Badge>,
    },
    { title: t.erasures.found, isWide: true, cell: ({ found }) => <Found of={found} /> },
    { title: t.erasures.by, cell: ({ orderedBy }) => t.erasures.orderers[orderedBy] },
    { title: t.erasures.made, cell: ({ createdAt }) => format.moment(createdAt) },
    { title: t.erasures.done, cell: ({ doneAt }) => (doneAt ? format.moment(doneAt) : "–") },
  ];
  return <Table caption={t.erasures.list} columns={columns} rows={erasures} idOf={({ id }) => id} />;
}

/** What an order has met so far. What it has met nothing of is left out. */
function Found({ of: { blacklisted, ...counts } }: { of: Erasure["found"] }) {
  const t = useMessages();
  const format = useFormat();
  const met = (Object.keys(counts) as (keyof typeof counts)[])
    .filter((name) => counts[name] > 0)
    .map((name) => t.erasures.met[name](format.number(counts[name])));
  if (blacklisted) met.push(t.erasures.blacklisted);
  return met.join(t.form.comma) || t.erasures.nothing;
}
