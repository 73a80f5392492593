import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { dataQuery } from "../../api/queries.ts";
import { useMessages } from "../../base/messages.ts";
import { goTo, useRoute } from "../../base/router.ts";
import { DayField } from "../../parts/DayField.tsx";
import { Empty } from "../../parts/Empty.tsx";
import { Filters } from "../../parts/Filters.tsx";
import { Heading } from "../../parts/Heading.tsx";
import { Loaded } from "../../parts/Loaded.tsx";
import { NeedsScope } from "../../parts/NeedsScope.tsx";
import { Select } from "../../parts/Select.tsx";
import { DayChart } from "./DayChart.tsx";
import { FindOne } from "./FindOne.tsx";
import { StatsTable } from "./StatsTable.tsx";
import { StatsTiles } from "./StatsTiles.tsx";

export default function Verifications() {
  const t = useMessages();
  return (
    <>
      <Heading title={t.verify.title} />
      <p className="faint">{t.verify.lead}</p>
      <NeedsScope scope="verify">
        <StatsFilters />
        <Stats />
        <FindOne />
      </NeedsScope>
    </>
  );
}

const wanted = (query: URLSearchParams) => {
  const of = (name: string) => query.get(name) ?? "";
  return { by: of("by") || "day", from: of("from"), to: of("to"), id: of("id") };
};

function StatsFilters() {
  const t = useMessages();
  const { path, query } = useRoute();
  const filters = wanted(query);
  const change = (part: Partial<typeof filters>) => goTo(path, { ...filters, ...part });
  const choices = Object.entries(t.verify.ways).map(([id, text]) => ({ id, text }));
  const isFiltered = Boolean(filters.from || filters.to);
  return (
    <Filters onClear={isFiltered ? () => change({ from: "", to: "" }) : undefined}>
      <Select label={t.verify.by} value={filters.by} choices={choices} onChange={(by) => change({ by })} />
      <DayField label={t.form.from} value={filters.from} onChange={(from) => change({ from: from ?? "" })} />
      <DayField label={t.form.to} value={filters.to} onChange={(to) => change({ to: to ?? "" })} />
    </Filters>
  );
}

function Stats() {
  const t = useMessages();
  const { query } = useRoute();
  const { by, from, to } = wanted(query);
  const list = useQuery({
    ...dataQuery(["verify", "stats"], "/verify/stats", { query: { by, from, to } }),
    placeholderData: keepPreviousData,
  });
  return (
    <Loaded query={list}>
      {(stats) =>
        stats.rows.length === 0 ? (
          <Empty title={t.verify.none}>
            <p>{t.verify.noneText}</p>
          </Empty>
        ) : (
          <>
            <StatsTiles rows={stats.rows} />
            <section className="card stack" aria-busy={list.isPlaceholderData}>
              {stats.by === "day" && <DayChart stats={stats} />}
              <StatsTable stats={stats} />
              <p className="hint">{t.verify.utc}</p>
            </section>
          </>
        )
      }
    </Loaded>
  );
}
