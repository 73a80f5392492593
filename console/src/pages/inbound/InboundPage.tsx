import { useInfiniteQuery } from "@tanstack/react-query";
import { useMessages } from "../../base/messages.ts";
import { href } from "../../base/router.ts";
import { useTexts } from "../../format/texts.ts";
import { Badge } from "../../parts/Badge.tsx";
import { Button } from "../../parts/Button.tsx";
import { Code } from "../../parts/Code.tsx";
import { useTimeZone } from "../../parts/days.ts";
import { Empty } from "../../parts/Empty.tsx";
import { isErased, useShownText } from "../../parts/erased.ts";
import { Failure } from "../../parts/Failure.tsx";
import { Loading } from "../../parts/Loading.tsx";
import { Page } from "../../parts/Page.tsx";
import { Phone } from "../../parts/Phone.tsx";
import { type Column, Table } from "../../parts/Table.tsx";
import { type Conversation, conversationsOf, isNumber, pathOf } from "./conversations.ts";
import { InboundFilters, useInboundFilters } from "./InboundFilters.tsx";
import { inboundQuery } from "./queries.ts";

export default function InboundPage() {
  const t = useMessages();
  return (
    <Page title={t.inbound.title} lead={t.inbound.lead} scope="sms:read" hasPeople>
      <InboundFilters />
      <Conversations />
    </Page>
  );
}

function Conversations() {
  const t = useMessages();
  const { filters, isFiltered } = useInboundFilters();
  const list = useInfiniteQuery(inboundQuery(filters, useTimeZone()));
  if (!list.data) return list.error ? <Failure error={list.error} onAgain={() => void list.refetch()} /> : <Loading />;
  const conversations = conversationsOf(list.data.pages.flatMap(({ data }) => data));
  if (conversations.length === 0)
    return <Empty title={isFiltered ? t.inbound.noneFound : t.inbound.none} text={!isFiltered && t.inbound.noneText} />;
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

type Props = {
  conversations: Conversation[];
  /** There are older messages that are not read yet: they may belong to any of these. */
  hasMore: boolean;
};

function ConversationTable({ conversations, hasMore }: Props) {
  const { t, format } = useTexts();
  const columns: Column<Conversation>[] = [
    { title: t.inbound.from, isTitle: true, cell: (conversation) => <SenderLink of={conversation} /> },
    { title: t.inbound.newest, isWide: true, cell: ({ newest }) => <NewestText text={newest.text} /> },
    { title: t.inbound.line, cell: ({ newest }) => <Code>{format.digits(newest.line)}</Code> },
    {
      title: t.inbound.count,
      isNumber: true,
      cell: ({ count }) => {
        const known = format.number(count);
        return hasMore ? t.inbound.atLeast(known) : known;
      },
    },
    { title: t.inbound.time, cell: ({ newest }) => format.moment(newest.receivedAt) },
  ];
  return <Table caption={t.inbound.list} columns={columns} rows={conversations} idOf={({ newest }) => newest.id} />;
}

function SenderLink({ of: { from, optOut } }: { of: Conversation }) {
  const t = useMessages();
  return (
    <span className="text-link">
      {isErased(from) ? (
        <Sender of={from} />
      ) : (
        <a href={href(pathOf(from))}>
          <Sender of={from} />
        </a>
      )}
      {optOut && <Badge tone="warn">{t.inbound.optOut}</Badge>}
    </span>
  );
}

function NewestText({ text }: { text: string }) {
  const shown = useShownText();
  return <span className="cut-after-two" {...shown(text)} />;
}

function Sender({ of }: { of: string }) {
  return isNumber(of) || isErased(of) ? <Phone of={of} /> : <bdi>{of}</bdi>;
}
