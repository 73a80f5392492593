import { keepPreviousData } from "@tanstack/react-query";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { timesOf, useTimeZone } from "../../../parts/days.ts";
import { Empty } from "../../../parts/Empty.tsx";
import { Listing, usePage } from "../../../parts/Listing.tsx";
import { Page } from "../../../parts/Page.tsx";
import { OnlyAccount } from "../shared/OnlyAccount.tsx";
import { AuditFilters, useAuditFilters } from "./AuditFilters.tsx";
import { EntryCard } from "./EntryCard.tsx";

export default function Audit() {
  const o = useOperatorMessages();
  return (
    <Page title={o.pages.audit} lead={o.audit.lead} scope="admin:read">
      <AuditFilters />
      <OnlyAccount id={useAuditFilters().filters.account} />
      <Found />
    </Page>
  );
}

function Found() {
  const o = useOperatorMessages();
  const { from, to, ...others } = useAuditFilters().filters;
  const list = usePage(
    ["audit"],
    "/admin/audit",
    { query: { ...others, ...timesOf(from, to, useTimeZone()) } },
    { placeholderData: keepPreviousData },
  );
  return (
    <Listing query={list} empty={<Empty title={o.audit.none} />}>
      {(data) => (
        <ol className="entries">
          {data.map((entry) => (
            <li key={entry.id}>
              <EntryCard entry={entry} />
            </li>
          ))}
        </ol>
      )}
    </Listing>
  );
}
