import { keepPreviousData } from "@tanstack/react-query";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { useRoute } from "../../../base/router.ts";
import { timesOf } from "../../../parts/days.ts";
import { Empty } from "../../../parts/Empty.tsx";
import { Heading } from "../../../parts/Heading.tsx";
import { Listing, usePage } from "../../../parts/Listing.tsx";
import { NeedsScope } from "../../../parts/NeedsScope.tsx";
import { OnlyAccount } from "../shared/OnlyAccount.tsx";
import { AuditFilters, filtersOf } from "./AuditFilters.tsx";
import { EntryCard } from "./EntryCard.tsx";

export default function Audit() {
  const o = useOperatorMessages();
  return (
    <>
      <Heading title={o.pages.audit} />
      <p className="faint">{o.audit.lead}</p>
      <NeedsScope scope="admin:read">
        <AuditFilters />
        <OnlyAccount id={filtersOf(useRoute().query).account} />
        <Found />
      </NeedsScope>
    </>
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
