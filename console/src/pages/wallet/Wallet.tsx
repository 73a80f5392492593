import { useQuery } from "@tanstack/react-query";
import { pageQuery } from "../../api/queries.ts";
import { useMessages } from "../../base/messages.ts";
import { goTo, useRoute } from "../../base/router.ts";
import { useFormat } from "../../format/format.ts";
import { DayField } from "../../parts/DayField.tsx";
import { timesOf } from "../../parts/days.ts";
import { Empty } from "../../parts/Empty.tsx";
import { Filters as FilterBar } from "../../parts/Filters.tsx";
import { Heading } from "../../parts/Heading.tsx";
import { keepFilled } from "../../parts/keep-filled.ts";
import { Loaded } from "../../parts/Loaded.tsx";
import { NeedsScope } from "../../parts/NeedsScope.tsx";
import { Pager } from "../../parts/Pager.tsx";
import { Select } from "../../parts/Select.tsx";
import { Tiles } from "../../parts/Tiles.tsx";
import { accountQuery } from "../queries.ts";
import { DownloadButton } from "./DownloadButton.tsx";
import { EntryTable } from "./EntryTable.tsx";

export default function Wallet() {
  const t = useMessages();
  return (
    <>
      <Heading title={t.wallet.title} />
      <NeedsScope scope="account:read">
        <Balances />
        <Ledger />
      </NeedsScope>
    </>
  );
}

function Balances() {
  const t = useMessages();
  const format = useFormat();
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

type Filters = { type: string; from: string; to: string };

function filtersOf(query: URLSearchParams): Filters {
  const of = (name: string) => query.get(name) ?? "";
  return { type: of("type"), from: of("from"), to: of("to") };
}

function Ledger() {
  const t = useMessages();
  const { query } = useRoute();
  const filters = filtersOf(query);
  const isFiltered = Object.values(filters).some(Boolean);
  const wanted = { ...(filters.type && { type: filters.type }), ...timesOf(filters.from, filters.to) };
  const list = useQuery({
    ...pageQuery(["account", "transactions"], "/account/transactions", {
      query: { ...wanted, cursor: query.get("cursor") },
    }),
    placeholderData: keepFilled,
  });
  return (
    <section>
      <div className="heading">
        <h2>{t.wallet.ledger}</h2>
        <DownloadButton query={wanted} />
      </div>
      <LedgerFilters filters={filters} />
      <Loaded query={list}>
        {({ data, meta }) =>
          data.length === 0 && !meta.nextCursor ? (
            <Empty title={isFiltered ? t.wallet.noneFound : t.wallet.none}>
              {!isFiltered && <p>{t.wallet.noneText}</p>}
            </Empty>
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

function LedgerFilters({ filters }: { filters: Filters }) {
  const t = useMessages();
  const { path } = useRoute();
  const change = (part: Partial<Filters>) => goTo(path, { ...filters, ...part });
  const kinds = Object.entries(t.entries).map(([id, text]) => ({ id, text }));
  const isFiltered = Object.values(filters).some(Boolean);
  return (
    <FilterBar onClear={isFiltered ? () => goTo(path) : undefined}>
      <Select
        label={t.wallet.type}
        value={filters.type || "all"}
        choices={[{ id: "all", text: t.form.all }, ...kinds]}
        onChange={(type) => change({ type: type === "all" ? "" : type })}
      />
      <DayField label={t.form.from} value={filters.from} onChange={(from) => change({ from: from ?? "" })} />
      <DayField label={t.form.to} value={filters.to} onChange={(to) => change({ to: to ?? "" })} />
    </FilterBar>
  );
}
