import { useMay } from "../../api/session-context.ts";
import { useMessages } from "../../base/messages.ts";
import { href, useRoute } from "../../base/router.ts";
import { timesOf } from "../../parts/days.ts";
import { Empty } from "../../parts/Empty.tsx";
import { Heading } from "../../parts/Heading.tsx";
import { keepFilled } from "../../parts/keep-filled.ts";
import { Listing, usePage } from "../../parts/Listing.tsx";
import { NeedsScope } from "../../parts/NeedsScope.tsx";
import { filtersOf, MessageFilters } from "./MessageFilters.tsx";
import { MessageTable } from "./MessageTable.tsx";

export default function MessageList() {
  const t = useMessages();
  const maySend = useMay("sms:send");
  return (
    <>
      <Heading title={t.messages.title}>
        {maySend && (
          <a className="button main" href={href("/compose")}>
            {t.messages.compose}
          </a>
        )}
      </Heading>
      <NeedsScope scope="sms:read">
        <MessageFilters />
        <Found />
      </NeedsScope>
    </>
  );
}

/** How often the list is asked for again while somebody looks at it, ms. */
const often = 15_000;

function Found() {
  const t = useMessages();
  const { query } = useRoute();
  const filters = filtersOf(query);
  const { status, type, recipient, from, to } = filters;
  const isFiltered = Object.values(filters).some(Boolean);
  const list = usePage(
    ["messages", "list"],
    "/messages",
    {
      query: { status, type, recipient, ...timesOf(from, to) },
    },
    { refetchInterval: often, placeholderData: keepFilled },
  );
  return (
    <Listing
      query={list}
      empty={
        <Empty title={isFiltered ? t.messages.noneFound : t.messages.none}>
          {!isFiltered && <p>{t.messages.noneText}</p>}
        </Empty>
      }
      isEmptyWhole
    >
      {(data) => <MessageTable caption={t.messages.list} messages={data} />}
    </Listing>
  );
}
