import { useQuery } from "@tanstack/react-query";
import { useMay } from "../../api/session-context.ts";
import { useMessages } from "../../base/messages.ts";
import { href, useRoute } from "../../base/router.ts";
import { Empty } from "../../parts/Empty.tsx";
import { Heading } from "../../parts/Heading.tsx";
import { keepFilled } from "../../parts/keep-filled.ts";
import { Loaded } from "../../parts/Loaded.tsx";
import { NeedsScope } from "../../parts/NeedsScope.tsx";
import { Pager } from "../../parts/Pager.tsx";
import { filtersOf, MessageFilters } from "./MessageFilters.tsx";
import { MessageTable } from "./MessageTable.tsx";
import { messagesQuery } from "./queries.ts";

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

function Found() {
  const t = useMessages();
  const { query } = useRoute();
  const filters = filtersOf(query);
  const isFiltered = Object.values(filters).some(Boolean);
  const list = useQuery({
    ...messagesQuery(filters, query.get("cursor") ?? undefined),
    placeholderData: keepFilled,
  });
  return (
    <Loaded query={list}>
      {({ data, meta }) =>
        data.length === 0 && !query.has("cursor") ? (
          <Empty title={isFiltered ? t.messages.noneFound : t.messages.none}>
            {!isFiltered && <p>{t.messages.noneText}</p>}
          </Empty>
        ) : (
          <section className="card" aria-busy={list.isPlaceholderData}>
            <MessageTable caption={t.messages.list} messages={data} />
            <Pager nextCursor={meta.nextCursor} />
          </section>
        )
      }
    </Loaded>
  );
}
