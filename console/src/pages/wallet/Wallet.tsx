import { useQuery } from "@tanstack/react-query";
import { answer, client } from "../../api/client.ts";
import { useMessages } from "../../base/messages.ts";
import { href } from "../../base/router.ts";
import { useTexts } from "../../format/texts.ts";
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
import { Tiles } from "../../parts/Tiles.tsx";
import { useEntryColumns } from "../export/columns.ts";
import { forExcel } from "../export/excel.ts";
import { accountQuery } from "../overview/queries.ts";
import { ByKey } from "./ByKey.tsx";
import { EntryTable } from "./EntryTable.tsx";

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
      <TwoLines />
      <Loaded query={list}>
        {({ data, meta }) =>
          data.length === 0 && !meta.nextCursor ? (
            <Empty title={isFiltered ? t.wallet.noneFound : t.wallet.none} text={!isFiltered && t.wallet.noneText} />
          ) : (
            <section className="card" aria-busy={list.isPlaceholderData}>
              <EntryTable entries={data} toMessage={(uid) => href(`/messages/${uid}`)} />
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

/** Why the ledger has several entries of one send. */
function TwoLines() {
  const t = useMessages();
  const { RESERVE, SETTLE, RELEASE } = t.entries;
  return (
    <details>
      <summary>{t.wallet.twoLines}</summary>
      <p className="hint">{t.wallet.twoLinesText(RESERVE, SETTLE, RELEASE)}</p>
    </details>
  );
}
