import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { dataQuery } from "../../api/queries.ts";
import { useMay } from "../../api/session-context.ts";
import { useMessages } from "../../base/messages.ts";
import { href } from "../../base/router.ts";
import { useTexts } from "../../format/texts.ts";
import { Button } from "../../parts/Button.tsx";
import { Empty } from "../../parts/Empty.tsx";
import { Failure } from "../../parts/Failure.tsx";
import { Loading } from "../../parts/Loading.tsx";
import { Page } from "../../parts/Page.tsx";
import { entriesOf, isNumber, senderOf } from "./conversations.ts";
import { receivedQuery, sentQuery } from "./queries.ts";
import { Talk } from "./Talk.tsx";

export default function ConversationPage({ sender }: { sender: string }) {
  const { t, format } = useTexts();
  const from = senderOf(sender);
  return (
    <Page
      title={isNumber(from) ? `\u2066${format.phone(from)}\u2069` : from}
      back={["/inbound", t.inbound.back]}
      scope="sms:read"
      hasPeople
    >
      {isNumber(from) ? <Blocked number={from} /> : <p className="note">{t.inbound.noAnswer}</p>}
      <Whole from={from} />
    </Page>
  );
}

/** Says that a number gets nothing before somebody writes an answer to it. */
function Blocked({ number }: { number: string }) {
  const t = useMessages();
  const enabled = useMay("blacklist");
  const { data = [] } = useQuery(dataQuery(["blacklist", "has"], "/blacklist", { query: { number } }, { enabled }));
  if (data.length === 0) return null;
  return (
    <p className="note">
      {t.inbound.blocked} <a href={href("/blacklist", { number })}>{t.inbound.toBlacklist}</a>
    </p>
  );
}

function Whole({ from }: { from: string }) {
  const t = useMessages();
  const maySend = useMay("sms:send");
  const received = useInfiniteQuery(receivedQuery(from));
  const sent = useInfiniteQuery({ ...sentQuery(from), enabled: isNumber(from) });
  const again = () => Promise.all([received, sent].map((side) => side.error && side.refetch()));
  const error = received.error ?? sent.error;
  if (error && (!received.data || (isNumber(from) && !sent.data)))
    return <Failure error={error} onAgain={() => void again()} />;
  if (!received.data || (isNumber(from) && !sent.data)) return <Loading />;
  const entries = entriesOf(
    { items: received.data.pages.flatMap(({ data }) => data), hasMore: received.hasNextPage },
    { items: sent.data?.pages.flatMap(({ data }) => data) ?? [], hasMore: sent.hasNextPage },
  );
  const older = () => Promise.all([received, sent].map((side) => side.hasNextPage && side.fetchNextPage()));
  return (
    <section className="card stack">
      {(received.hasNextPage || sent.hasNextPage) && (
        <Button
          kind="quiet"
          isPending={received.isFetchingNextPage || sent.isFetchingNextPage}
          onPress={() => void older()}
        >
          {t.inbound.older}
        </Button>
      )}
      {entries.length === 0 ? <Empty title={t.inbound.nothing} /> : <Talk entries={entries} />}
      {maySend && isNumber(from) && (
        <div className="actions">
          <a className="button main" href={href("/compose", { to: from })}>
            {t.inbound.answer}
          </a>
        </div>
      )}
    </section>
  );
}
