import type { Schemas } from "../../api/client.ts";
import { useMessages } from "../../base/messages.ts";
import type { Format } from "../../format/format.ts";
import { useTexts } from "../../format/texts.ts";
import { Badge, type Tone } from "../../parts/Badge.tsx";
import { type Column, Table } from "../../parts/Table.tsx";

type Entry = Schemas["Transaction"];

const tones: Record<Entry["type"], Tone> = {
  CREDIT: "good",
  RESERVE: "warn",
  SETTLE: "busy",
  RELEASE: "calm",
  REFUND: "good",
};

/** What an entry does to the available money. The money of a reserve was taken when it was made, so its end takes nothing. */
const signs: Record<Entry["type"], number> = { CREDIT: 1, RESERVE: -1, SETTLE: 0, RELEASE: 1, REFUND: 1 };

type Props = {
  entries: Entry[];
  /** The address of the page of a message. */
  toMessage: (uid: string) => string;
};

/** The entries of a ledger. */
export function EntryTable({ entries, toMessage }: Props) {
  const { t, format } = useTexts();
  const columns: Column<Entry>[] = [
    { title: t.wallet.time, isTitle: true, cell: ({ createdAt }) => format.moment(createdAt) },
    { title: t.wallet.type, cell: ({ type }) => <Badge tone={tones[type]}>{t.entries[type]}</Badge> },
    { title: t.wallet.note, isWide: true, cell: (entry) => <About entry={entry} toMessage={toMessage} /> },
    { title: t.wallet.amount, isNumber: true, cell: (entry) => changeOf(format, entry) },
    { title: t.wallet.balance, isNumber: true, cell: (entry) => format.money(entry.availableBalance, entry.unit) },
    { title: t.wallet.reservedAfter, isNumber: true, cell: (entry) => format.money(entry.lockedBalance, entry.unit) },
  ];
  return <Table caption={t.wallet.ledger} columns={columns} rows={entries} idOf={({ id }) => String(id)} />;
}

function changeOf(format: Format, { type, amount, unit }: Entry): string {
  const change = signs[type] * amount;
  return change === 0 ? format.money(amount, unit) : format.change(change, unit);
}

function About({ entry, toMessage }: { entry: Entry; toMessage: Props["toMessage"] }) {
  const t = useMessages();
  if (entry.message) return <a href={toMessage(entry.message)}>{t.wallet.open}</a>;
  return entry.note ? <bdi>{entry.note}</bdi> : "–";
}
