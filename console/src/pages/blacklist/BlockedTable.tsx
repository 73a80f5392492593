import type { Schemas } from "../../api/client.ts";
import { useMessages } from "../../base/messages.ts";
import { useFormat } from "../../format/format.ts";
import { Badge } from "../../parts/Badge.tsx";
import { Button } from "../../parts/Button.tsx";
import { Phone } from "../../parts/Phone.tsx";
import { type Column, Table } from "../../parts/Table.tsx";

type BlockedNumber = Schemas["BlockedNumber"];

type Props = { numbers: BlockedNumber[]; onFree: (number: BlockedNumber) => void };

export function BlockedTable({ numbers, onFree }: Props) {
  const t = useMessages();
  const format = useFormat();
  const columns: Column<BlockedNumber>[] = [
    { title: t.blacklist.number, isTitle: true, cell: ({ number }) => <Phone of={number} /> },
    {
      title: t.blacklist.by,
      isWide: true,
      cell: ({ optOut }) => (
        <Badge tone={optOut ? "warn" : "calm"}>{optOut ? t.blacklist.byOwner : t.blacklist.byAccount}</Badge>
      ),
    },
    { title: t.blacklist.time, cell: ({ createdAt }) => format.moment(createdAt) },
    {
      title: t.blacklist.remove,
      cell: (blocked) => (
        <Button
          kind="link"
          className="bad"
          aria-label={t.blacklist.removeOf(format.phone(blocked.number))}
          onPress={() => onFree(blocked)}
        >
          {t.blacklist.remove}
        </Button>
      ),
    },
  ];
  return <Table caption={t.blacklist.list} columns={columns} rows={numbers} idOf={({ number }) => number} />;
}
