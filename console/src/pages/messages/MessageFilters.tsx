import { useMessages } from "../../base/messages.ts";
import { DayField } from "../../parts/DayField.tsx";
import { Filters, useFilters } from "../../parts/Filters.tsx";
import { SearchField } from "../../parts/SearchField.tsx";
import { choicesOf, FilterSelect } from "../../parts/Select.tsx";

export const useMessageFilters = () => useFilters(["status", "type", "recipient", "from", "to"]);

export function MessageFilters() {
  const t = useMessages();
  const { at, clear } = useMessageFilters();
  return (
    <Filters onClear={clear}>
      <FilterSelect label={t.messages.status} choices={choicesOf(t.statuses)} {...at("status")} />
      <FilterSelect label={t.messages.type} choices={choicesOf(t.types)} {...at("type")} />
      <SearchField label={t.messages.recipient} inputMode="tel" {...at("recipient")} />
      <DayField label={t.form.from} {...at("from")} />
      <DayField label={t.form.to} {...at("to")} />
    </Filters>
  );
}
