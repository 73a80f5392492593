import type { Schemas } from "../../../api/client.ts";
import { href } from "../../../base/router.ts";
import { useOperatorTexts } from "../../../format/operator-texts.ts";
import { DayField } from "../../../parts/DayField.tsx";
import { timesOf, useTimeZone } from "../../../parts/days.ts";
import { Empty } from "../../../parts/Empty.tsx";
import { Filters, useFilters } from "../../../parts/Filters.tsx";
import { keepFilled } from "../../../parts/keep-filled.ts";
import { Listing, usePage } from "../../../parts/Listing.tsx";
import { choicesOf, FilterSelect } from "../../../parts/Select.tsx";
import { EntryTable } from "../../wallet/EntryTable.tsx";

/** The ledger of an account, which stays when the account is closed. */
export function AccountLedger({ account: { id } }: { account: Schemas["Account"] }) {
  const { t } = useOperatorTexts();
  const { at, clear, filters, isFiltered } = useFilters(["type", "from", "to"]);
  const list = usePage(
    ["support", "ledger"],
    "/admin/accounts/{id}/transactions",
    { path: { id }, query: { type: filters.type, ...timesOf(filters.from, filters.to, useTimeZone()) } },
    { placeholderData: keepFilled },
  );
  return (
    <>
      <Filters onClear={clear}>
        <FilterSelect label={t.wallet.type} choices={choicesOf(t.entries)} {...at("type")} />
        <DayField label={t.form.from} {...at("from")} />
        <DayField label={t.form.to} {...at("to")} />
      </Filters>
      <Listing query={list} empty={<Empty title={isFiltered ? t.wallet.noneFound : t.wallet.none} />} isEmptyWhole>
        {(data) => <EntryTable entries={data} toMessage={(uid) => href(`/accounts/${id}/messages`, { uid })} />}
      </Listing>
    </>
  );
}
