import { keepPreviousData } from "@tanstack/react-query";
import type { Schemas } from "../../../api/client.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { useOperatorTexts } from "../../../format/operator-texts.ts";
import { Empty } from "../../../parts/Empty.tsx";
import { usePage } from "../../../parts/Listing.tsx";
import { Loaded } from "../../../parts/Loaded.tsx";
import { Page } from "../../../parts/Page.tsx";
import { Pager } from "../../../parts/Pager.tsx";
import { Tiles } from "../../../parts/Tiles.tsx";
import { OnlyAccount } from "../shared/OnlyAccount.tsx";
import { useUnit } from "../shared/unit.ts";
import { type Row, rowOf, totalOf } from "./sums.ts";
import { UsageChart } from "./UsageChart.tsx";
import { UsageFilters, useUsageFilters } from "./UsageFilters.tsx";
import { UsageTable } from "./UsageTable.tsx";

export default function Usage() {
  const o = useOperatorMessages();
  return (
    <Page title={o.pages.usage} lead={o.usage.lead} scope="admin:read">
      <UsageFilters />
      <OnlyAccount id={useUsageFilters().filters.account} />
      <Found />
    </Page>
  );
}

function Found() {
  const o = useOperatorMessages();
  const { filters } = useUsageFilters();
  const list = usePage(
    ["usage"],
    "/admin/usage",
    { query: { limit: 200, ...filters } },
    { placeholderData: keepPreviousData },
  );
  return (
    <Loaded query={list}>
      {({ data, meta }) => {
        const [first] = data;
        if (!first) return <Empty title={o.usage.none} text={o.usage.noneText} />;
        // While the next sums are loaded, those that are shown may be by something else.
        const by: Schemas["UsageSum"]["by"] = first.by;
        const rows = data.map(rowOf);
        return (
          <>
            <UsageTiles rows={rows} />
            <UsageChart by={by} rows={rows} filters={filters} />
            <section className="card" aria-busy={list.isPlaceholderData}>
              <UsageTable by={by} rows={rows} filters={filters} />
              <Pager nextCursor={meta.nextCursor} />
            </section>
          </>
        );
      }}
    </Loaded>
  );
}

function UsageTiles({ rows }: { rows: Row[] }) {
  const { t, o, format } = useOperatorTexts();
  const unit = useUnit();
  const total = totalOf(rows);
  const tiles = [
    {
      title: t.messages.people,
      value: format.number(total.recipients),
      note: o.usage.inMessages(format.number(total.messages), format.number(total.parts)),
    },
    {
      title: t.overview.rate,
      value: total.rate === null ? "–" : format.percent(total.rate),
      note: total.ended > 0 ? t.overview.rateOf(format.number(total.ended)) : t.overview.nothingEnded,
    },
    { title: t.overview.failed, value: format.number(total.failed) },
    { title: t.messages.cost, value: format.money(total.spent, unit), note: o.usage.afterRefunds },
  ];
  return <Tiles tiles={tiles} />;
}
