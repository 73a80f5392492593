import { goTo, useRoute } from "../../../base/router.ts";
import { useOperatorTexts } from "../../../format/operator-texts.ts";
import { DayField } from "../../../parts/DayField.tsx";
import { Filters as FilterBar } from "../../../parts/Filters.tsx";
import { SearchField } from "../../../parts/SearchField.tsx";
import { choicesOf, Select } from "../../../parts/Select.tsx";

export type Filters = Record<"by" | "from" | "to" | "account" | "line" | "carrier" | "mode", string>;

const names = ["from", "to", "account", "line", "carrier"] as const;

export const filtersOf = (query: URLSearchParams): Filters => ({
  by: query.get("by") || "day",
  mode: query.get("mode") || "live",
  ...(Object.fromEntries(names.map((name) => [name, query.get(name) ?? ""])) as Omit<Filters, "by" | "mode">),
});

/** What is usual is not in the address. */
const withoutUsual = ({ by, mode, ...rest }: Filters) => ({
  ...rest,
  by: by === "day" ? "" : by,
  mode: mode === "live" ? "" : mode,
});

export function UsageFilters() {
  const { t, o } = useOperatorTexts();
  const { path, query } = useRoute();
  const filters = filtersOf(query);
  const change = (part: Partial<Filters>) => goTo(path, withoutUsual({ ...filters, ...part }));
  const isFiltered = Object.values(withoutUsual(filters)).some(Boolean);
  const choices = (texts: Record<string, string>) => choicesOf(texts);
  return (
    <FilterBar onClear={isFiltered ? () => goTo(path) : undefined}>
      <Select label={o.usage.by} value={filters.by} choices={choices(o.usage.bys)} onChange={(by) => change({ by })} />
      <DayField label={t.form.from} value={filters.from} onChange={(from) => change({ from: from ?? "" })} />
      <DayField label={t.form.to} value={filters.to} onChange={(to) => change({ to: to ?? "" })} />
      <SearchField label={o.usage.account} value={filters.account} onChange={(account) => change({ account })} />
      <SearchField label={o.usage.line} value={filters.line} onChange={(line) => change({ line })} />
      <SearchField label={o.usage.carrier} value={filters.carrier} onChange={(carrier) => change({ carrier })} />
      <Select
        label={t.keys.mode}
        value={filters.mode}
        choices={choices(t.modes)}
        onChange={(mode) => change({ mode })}
      />
    </FilterBar>
  );
}
