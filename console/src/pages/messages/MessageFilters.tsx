import { useMessages } from "../../base/messages.ts";
import { goTo, useRoute } from "../../base/router.ts";
import { DayField } from "../../parts/DayField.tsx";
import { Filters as FilterBar } from "../../parts/Filters.tsx";
import { SearchField } from "../../parts/SearchField.tsx";
import { choicesOf, FilterSelect } from "../../parts/Select.tsx";

type Filters = { status: string; type: string; recipient: string; from: string; to: string };

const names = ["status", "type", "recipient", "from", "to"] as const;

export const filtersOf = (query: URLSearchParams): Filters => {
  const [status = "", type = "", recipient = "", from = "", to = ""] = names.map((name) => query.get(name) ?? "");
  return { status, type, recipient, from, to };
};

/** The filters stand in the address: so a list can be kept, sent to a colleague, and found again with the back button. */
export function MessageFilters() {
  const t = useMessages();
  const { path, query } = useRoute();
  const filters = filtersOf(query);
  const change = (part: Partial<Filters>) => goTo(path, { ...filters, ...part });
  const isFiltered = Object.values(filters).some(Boolean);
  return (
    <FilterBar onClear={isFiltered ? () => goTo(path) : undefined}>
      <FilterSelect
        label={t.messages.status}
        choices={choicesOf(t.statuses)}
        value={filters.status}
        onChange={(status) => change({ status })}
      />
      <FilterSelect
        label={t.messages.type}
        choices={choicesOf(t.types)}
        value={filters.type}
        onChange={(type) => change({ type })}
      />
      <SearchField
        label={t.messages.recipient}
        inputMode="tel"
        value={filters.recipient}
        onChange={(recipient) => change({ recipient })}
      />
      <DayField label={t.form.from} value={filters.from} onChange={(from) => change({ from: from ?? "" })} />
      <DayField label={t.form.to} value={filters.to} onChange={(to) => change({ to: to ?? "" })} />
    </FilterBar>
  );
}
