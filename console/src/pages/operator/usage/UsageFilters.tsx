import { useOperatorTexts } from "../../../format/operator-texts.ts";
import { DayField } from "../../../parts/DayField.tsx";
import { Filters as FilterBar, useFilters } from "../../../parts/Filters.tsx";
import { SearchField } from "../../../parts/SearchField.tsx";
import { choicesOf, Select } from "../../../parts/Select.tsx";
import { AccountFilter } from "../shared/AccountFilter.tsx";

const names = ["by", "from", "to", "account", "line", "carrier", "mode"] as const;

export type Filters = Record<(typeof names)[number], string>;

export const useUsageFilters = () => useFilters(names, { by: "day", mode: "live" });

export function UsageFilters() {
  const { t, o } = useOperatorTexts();
  const { at, clear } = useUsageFilters();
  return (
    <FilterBar onClear={clear}>
      <Select label={o.usage.by} choices={choicesOf(o.usage.bys)} {...at("by")} />
      <DayField label={t.form.from} {...at("from")} />
      <DayField label={t.form.to} {...at("to")} />
      <AccountFilter label={o.accountField.filter} {...at("account")} />
      <SearchField label={o.usage.line} {...at("line")} />
      <SearchField label={o.usage.carrier} {...at("carrier")} />
      <Select label={t.keys.mode} choices={choicesOf(t.modes)} {...at("mode")} />
    </FilterBar>
  );
}
