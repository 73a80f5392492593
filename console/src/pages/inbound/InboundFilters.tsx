import { useQuery } from "@tanstack/react-query";
import { useMay } from "../../api/session-context.ts";
import { useMessages } from "../../base/messages.ts";
import { goTo, useRoute } from "../../base/router.ts";
import { useTexts } from "../../format/texts.ts";
import { DayField } from "../../parts/DayField.tsx";
import { Filters as FilterBar } from "../../parts/Filters.tsx";
import { FilterSelect } from "../../parts/Select.tsx";
import { linesQuery } from "../queries.ts";

export type Filters = { line: string; since: string };

export const filtersOf = (query: URLSearchParams): Filters => ({
  line: query.get("line") ?? "",
  since: query.get("since") ?? "",
});

export function InboundFilters() {
  const t = useMessages();
  const { path, query } = useRoute();
  const filters = filtersOf(query);
  const change = (part: Partial<Filters>) => goTo(path, { ...filters, ...part });
  return (
    <FilterBar onClear={filters.line || filters.since ? () => goTo(path) : undefined}>
      <LineFilter value={filters.line} onChange={(line) => change({ line })} />
      <DayField label={t.inbound.since} value={filters.since} onChange={(since) => change({ since: since ?? "" })} />
    </FilterBar>
  );
}

/** A line of the address that the account has no more stays in the choice: its messages are still there. */
function LineFilter({ value, onChange }: { value: string; onChange: (line: string) => void }) {
  const { t, format } = useTexts();
  const { data = [] } = useQuery({ ...linesQuery, enabled: useMay("account:read") });
  const numbers = new Set([...data.map(({ number }) => number), ...(value ? [value] : [])]);
  const choices = [...numbers].map((number) => ({ id: number, text: format.digits(number) }));
  return <FilterSelect label={t.inbound.line} choices={choices} value={value} onChange={onChange} />;
}
