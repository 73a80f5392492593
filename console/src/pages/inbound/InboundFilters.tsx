import { useQuery } from "@tanstack/react-query";
import { useMay } from "../../api/session-context.ts";
import { useMessages } from "../../base/messages.ts";
import { useTexts } from "../../format/texts.ts";
import { DayField } from "../../parts/DayField.tsx";
import { Filters as FilterBar, useFilters } from "../../parts/Filters.tsx";
import { FilterSelect } from "../../parts/Select.tsx";
import { linesQuery } from "../queries.ts";

const names = ["line", "since"] as const;

export type Filters = Record<(typeof names)[number], string>;

export const useInboundFilters = () => useFilters(names);

export function InboundFilters() {
  const t = useMessages();
  const { at, clear } = useInboundFilters();
  return (
    <FilterBar onClear={clear}>
      <LineFilter {...at("line")} />
      <DayField label={t.inbound.since} {...at("since")} />
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
