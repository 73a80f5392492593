import { useOperatorTexts } from "../../../format/operator-texts.ts";
import { DayField } from "../../../parts/DayField.tsx";
import { Filters, useFilters } from "../../../parts/Filters.tsx";
import { SearchField } from "../../../parts/SearchField.tsx";
import { choicesOf, FilterSelect } from "../../../parts/Select.tsx";
import { AccountFilter } from "../shared/AccountFilter.tsx";

export const useAuditFilters = () => useFilters(["account", "key", "operation", "thing", "thingId", "from", "to"]);

export function AuditFilters() {
  const { t, o } = useOperatorTexts();
  const { at, clear } = useAuditFilters();
  return (
    <Filters onClear={clear}>
      <FilterSelect label={o.audit.thing} choices={choicesOf(o.audit.kinds)} {...at("thing")} />
      <SearchField label={o.audit.thingId} {...at("thingId")} />
      <AccountFilter label={o.accountField.filter} {...at("account")} />
      <SearchField label={o.audit.key} {...at("key")} />
      <SearchField label={o.audit.operation} {...at("operation")} />
      <DayField label={t.form.from} {...at("from")} />
      <DayField label={t.form.to} {...at("to")} />
    </Filters>
  );
}
