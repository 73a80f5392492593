import { useMessages } from "../../base/messages.ts";
import { ComposeLink } from "../../parts/ComposeLink.tsx";
import { timesOf, useTimeZone } from "../../parts/days.ts";
import { Empty } from "../../parts/Empty.tsx";
import { keepFilled } from "../../parts/keep-filled.ts";
import { Listing, usePage } from "../../parts/Listing.tsx";
import { Page } from "../../parts/Page.tsx";
import { MessageFilters, useMessageFilters } from "./MessageFilters.tsx";
import { MessageTable } from "./MessageTable.tsx";

export default function MessageList() {
  const t = useMessages();
  return (
    <Page title={t.messages.title} scope="sms:read" acts={<ComposeLink />}>
      <MessageFilters />
      <Found />
    </Page>
  );
}

/** How often the list is asked for again while somebody looks at it, ms. */
const often = 15_000;

function Found() {
  const t = useMessages();
  const { filters, isFiltered } = useMessageFilters();
  const { from, to, ...others } = filters;
  const list = usePage(
    ["messages", "list"],
    "/messages",
    { query: { ...others, ...timesOf(from, to, useTimeZone()) } },
    { refetchInterval: often, placeholderData: keepFilled },
  );
  return (
    <Listing
      query={list}
      empty={
        <Empty title={isFiltered ? t.messages.noneFound : t.messages.none} text={!isFiltered && t.messages.noneText} />
      }
      isEmptyWhole
    >
      {(data) => <MessageTable caption={t.messages.list} messages={data} />}
    </Listing>
  );
}
