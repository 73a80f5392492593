import { useInfiniteQuery } from "@tanstack/react-query";
import { useMessages } from "../../base/messages.ts";
import { useRoute } from "../../base/router.ts";
import { Button } from "../../parts/Button.tsx";
import { Empty } from "../../parts/Empty.tsx";
import { Failure } from "../../parts/Failure.tsx";
import { Heading } from "../../parts/Heading.tsx";
import { Loading } from "../../parts/Loading.tsx";
import { NeedsLive } from "../../parts/NeedsLive.tsx";
import { NeedsScope } from "../../parts/NeedsScope.tsx";
import { ConversationTable } from "./ConversationTable.tsx";
import { conversationsOf } from "./conversations.ts";
import { filtersOf, InboundFilters } from "./InboundFilters.tsx";
import { inboundQuery } from "./queries.ts";

export default function InboundPage() {
  const t = useMessages();
  return (
    <>
      <Heading title={t.inbound.title} />
      <p className="faint">{t.inbound.lead}</p>
      <NeedsScope scope="sms:read">
        <NeedsLive>
          <InboundFilters />
          <Conversations />
        </NeedsLive>
      </NeedsScope>
    </>
  );
}

function Conversations() {
  const t = useMessages();
  const filters = filtersOf(useRoute().query);
  const list = useInfiniteQuery(inboundQuery(filters));
  if (!list.data) return list.error ? <Failure error={list.error} onAgain={() => void list.refetch()} /> : <Loading />;
  const conversations = conversationsOf(list.data.pages.flatMap(({ data }) => data));
  if (conversations.length === 0) {
    const isFiltered = Boolean(filters.line || filters.since);
    return (
      <Empty title={isFiltered ? t.inbound.noneFound : t.inbound.none}>
        {!isFiltered && <p>{t.inbound.noneText}</p>}
      </Empty>
    );
  }
  return (
    <section className="card stack">
      <ConversationTable conversations={conversations} hasMore={list.hasNextPage} />
      {list.hasNextPage && (
        <Button kind="quiet" isPending={list.isFetchingNextPage} onPress={() => void list.fetchNextPage()}>
          {t.inbound.older}
        </Button>
      )}
    </section>
  );
}
