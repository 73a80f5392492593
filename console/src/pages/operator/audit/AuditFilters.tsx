import { goTo, useRoute } from "../../../base/router.ts";
import { useOperatorTexts } from "../../../format/operator-texts.ts";
import { DayField } from "../../../parts/DayField.tsx";
import { Filters as FilterBar } from "../../../parts/Filters.tsx";
import { SearchField } from "../../../parts/SearchField.tsx";
import { choicesOf, FilterSelect } from "../../../parts/Select.tsx";

const names = ["account", "key", "operation", "thing", "thingId", "from", "to"] as const;
type Filters = Record<(typeof names)[number], string>;

export const filtersOf = (query: URLSearchParams): Filters =>
  Object.fromEntries(names.map((name) => [name, query.get(name) ?? ""])) as Filters;

export function AuditFilters() {
  const { t, o } = useOperatorTexts();
  const { path, query } = useRoute();
  const filters = filtersOf(query);
  const change = (part: Partial<Filters>) => goTo(path, { ...filters, ...part });
  const isFiltered = Object.values(filters).some(Boolean);
  return (
    <FilterBar onClear={isFiltered ? () => goTo(path) : undefined}>
      <FilterSelect
        label={o.audit.thing}
        choices={choicesOf(o.audit.kinds)}
        value={filters.thing}
        onChange={(thing) => change({ thing })}
      />
      <SearchField label={o.audit.thingId} value={filters.thingId} onChange={(thingId) => change({ thingId })} />
      <SearchField label={o.audit.account} value={filters.account} onChange={(account) => change({ account })} />
      <SearchField label={o.audit.key} value={filters.key} onChange={(key) => change({ key })} />
      <SearchField
        label={o.audit.operation}
        value={filters.operation}
        onChange={(operation) => change({ operation })}
      />
      <DayField label={t.form.from} value={filters.from} onChange={(from) => change({ from: from ?? "" })} />
      <DayField label={t.form.to} value={filters.to} onChange={(to) => change({ to: to ?? "" })} />
    </FilterBar>
  );
}
