import { keepPreviousData } from "@tanstack/react-query";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { useRoute } from "../../../base/router.ts";
import { timesOf } from "../../../parts/days.ts";
import { Empty } from "../../../parts/Empty.tsx";
import { Listing, usePage } from "../../../parts/Listing.tsx";
import { Page } from "../../../parts/Page.tsx";
import { OnlyAccount } from "../shared/OnlyAccount.tsx";
import { AuditFilters, filtersOf } from "./AuditFilters.tsx";
import { EntryCard } from "./EntryCard.tsx";

export default function Audit() {
  const o = useOperatorMessages();
  return (
    <Page title={o.pages.audit} lead={o.audit.lead} scope="admin:read">
      <AuditFilters />
      <OnlyAccount id={filtersOf(useRoute().query).account} />
      <Found />
    </Page>
  );
}

function Found() {
  const o = useOperatorMessages();
  const { query } = useRoute();
  const { from, to, ...filters } = filtersOf(query);
  const list = usePage(
    ["audit"],
    "/admin/audit",
    {
      query: { ...filters, ...timesOf(from, to) },
    },
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
