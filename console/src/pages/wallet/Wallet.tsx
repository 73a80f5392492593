import { useQuery } from "@tanstack/react-query";
import { answer, client, type Schemas } from "../../api/client.ts";
import { useMessages } from "../../base/messages.ts";
import { href } from "../../base/router.ts";
import type { Format } from "../../format/format.ts";
import { useTexts } from "../../format/texts.ts";
import { Badge, type Tone } from "../../parts/Badge.tsx";
import { DayField } from "../../parts/DayField.tsx";
import { DownloadButton } from "../../parts/DownloadButton.tsx";
import { timesOf, useTimeZone } from "../../parts/days.ts";
import { Empty } from "../../parts/Empty.tsx";
import { Filters, useFilters } from "../../parts/Filters.tsx";
import { keepFilled } from "../../parts/keep-filled.ts";
import { usePage } from "../../parts/Listing.tsx";
import { Loaded } from "../../parts/Loaded.tsx";
import { Page } from "../../parts/Page.tsx";
import { Pager } from "../../parts/Pager.tsx";
import { choicesOf, FilterSelect } from "../../parts/Select.tsx";
import { type Column, Table } from "../../parts/Table.tsx";
import { Tiles } from "../../parts/Tiles.tsx";
import { useEntryColumns } from "../export/columns.ts";
import { forExcel } from "../export/excel.ts";
import { accountQuery } from "../overview/queries.ts";
import { ByKey } from "./ByKey.tsx";

export default function Wallet() {
  const t = useMessages();
  return (
    <Page title={t.wallet.title} scope="account:read">
      <Balances />
      <ByKey />
      <Ledger />
    </Page>
  );
}

function Balances() {
  const { t, format } = useTexts();
  return (
    <Loaded query={useQuery(accountQuery)}>
      {({ wallet: { availableBalance, lockedBalance, totalBalance, unit } }) => (
        <Tiles
          tiles={[
            { title: t.wallet.available, value: format.money(availableBalance, unit) },
            { title: t.wallet.reserved, value: format.money(lockedBalance, unit) },
            { title: t.wallet.total, value: format.money(totalBalance, unit) },
          ]}
        />
      )}
    </Loaded>
  );
}

const useLedgerFilters = () => useFilters(["type", "from", "to"]);

function Ledger() {
  const t = useMessages();
  const { filters, isFiltered } = useLedgerFilters();
  const columns = useEntryColumns();
  const times = timesOf(filters.from, filters.to, useTimeZone());
  const wanted = { ...(filters.type && { type: filters.type }), ...times };
  const list = usePage(
    ["account", "transactions"],
    "/account/transactions",
    { query: { ...wanted } },
    { placeholderData: keepFilled },
  );
  return (
    <section>
      <div className="heading">
        <h2>{t.wallet.ledger}</h2>
        <div className="download">
          <DownloadButton name="peyk-transactions.csv" ask={async () => forExcel(await fileOf(wanted), columns)} />
        </div>
      </div>
      <LedgerFilters />
      <Loaded query={list}>
        {({ data, meta }) =>
          data.length === 0 && !meta.nextCursor ? (
            <Empty title={isFiltered ? t.wallet.noneFound : t.wallet.none} text={!isFiltered && t.wallet.noneText} />
          ) : (
            <section className="card" aria-busy={list.isPlaceholderData}>
              <EntryTable entries={data} />
              {isFiltered && meta.nextCursor && data.length === 0 && <p>{t.wallet.readOn}</p>}
              <Pager nextCursor={meta.nextCursor} />
            </section>
          )
        }
      </Loaded>
    </section>
  );
}

const fileOf = (query: object) =>
  answer<Blob>(
    client.GET("/account/transactions", { params: { query: { ...query, format: "csv" } }, parseAs: "blob" }),
  );

function LedgerFilters() {
  const t = useMessages();
  const { at, clear } = useLedgerFilters();
  return (
    <Filters onClear={clear}>
      <FilterSelect label={t.wallet.type} choices={choicesOf(t.entries)} {...at("type")} />
      <DayField label={t.form.from} {...at("from")} />
      <DayField label={t.form.to} {...at("to")} />
    </Filters>
  );
}

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

function EntryTable({ entries }: { entries: Entry[] }) {
  const { t, format } = useTexts();
  const columns: Column<Entry>[] = [
    { title: t.wallet.time, isTitle: true, cell: ({ createdAt }) => format.moment(createdAt) },
    { title: t.wallet.type, cell: ({ type }) => <Badge tone={tones[type]}>{t.entries[type]}</Badge> },
    { title: t.wallet.note, isWide: true, cell: (entry) => <About entry={entry} /> },
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

function About({ entry }: { entry: Entry }) {
  const t = useMessages();
  if (entry.message) return <a href={href(`/messages/${entry.message}`)}>{t.wallet.open}</a>;
  return entry.note ? <bdi>{entry.note}</bdi> : "–";
}
