import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Schemas } from "../../api/client.ts";
import { dataQuery } from "../../api/queries.ts";
import { useMessages } from "../../base/messages.ts";
import { useRoute } from "../../base/router.ts";
import { useTexts } from "../../format/texts.ts";
import { Badge, type Tone } from "../../parts/Badge.tsx";
import { Button } from "../../parts/Button.tsx";
import { Code } from "../../parts/Code.tsx";
import { CopyButton } from "../../parts/CopyButton.tsx";
import { type Fact, Facts } from "../../parts/Facts.tsx";
import { ProblemText } from "../../parts/Failure.tsx";
import { Loaded } from "../../parts/Loaded.tsx";
import { Page } from "../../parts/Page.tsx";
import { redeliver, waitFor } from "./queries.ts";

type Props = { id: string; deliveryId: string };

/** One delivery: what became of it, and what the receiver gets. */
export function DeliveryView({ id, deliveryId }: Props) {
  const t = useMessages();
  const { query } = useRoute();
  return (
    <Page
      title={t.webhooks.delivery}
      back={[`/webhooks/${id}`, t.webhooks.backToOne, { cursor: query.get("cursor") }]}
      scope="webhook"
    >
      <Whole id={id} deliveryId={deliveryId} />
    </Page>
  );
}

function Whole({ id, deliveryId }: Props) {
  return (
    <Loaded
      query={useQuery(
        dataQuery(
          ["webhooks", "deliveries"],
          "/webhook/{id}/deliveries/{deliveryId}",
          { path: { id, deliveryId } },
          { refetchInterval: ({ state }) => waitFor(state.data ? [state.data] : []) },
        ),
      )}
    >
      {(delivery) => (
        <>
          <section className="card stack">
            <Outcome delivery={delivery} />
            {delivery.status !== "NOTED" && <Again id={id} deliveryId={deliveryId} />}
          </section>
          {delivery.responseBody && <Answered text={delivery.responseBody} />}
          <Body text={delivery.body} />
        </>
      )}
    </Loaded>
  );
}

function Outcome({ delivery }: { delivery: Schemas["DeliveryWithRequest"] }) {
  const { t, format } = useTexts();
  const { id, type, url, status, attempts, error, responseStatus, createdAt, lastAttemptAt, nextAttemptAt } = delivery;
  const facts: Fact[] = [
    [t.webhooks.event, t.eventTypes[type]],
    [t.webhooks.happened, format.moment(createdAt)],
    [t.webhooks.tries, format.number(attempts)],
  ];
  if (lastAttemptAt) facts.push([t.webhooks.lastTry, format.moment(lastAttemptAt)]);
  if (nextAttemptAt) facts.push([t.webhooks.nextTryAt, format.moment(nextAttemptAt)]);
  if (responseStatus !== null) facts.push([t.webhooks.status, format.digits(String(responseStatus))]);
  if (error) facts.push([t.webhooks.trouble, t.deliveryErrors[error]]);
  facts.push([
    t.webhooks.id,
    <Code key="id" className="uid">
      {id}
    </Code>,
  ]);
  return (
    <>
      <h2 className="endpoint">
        <Code>{url}</Code> <DeliveryBadge status={status} />
      </h2>
      <Facts facts={facts} />
    </>
  );
}

function Again({ id, deliveryId }: Props) {
  const t = useMessages();
  const queryClient = useQueryClient();
  const again = useMutation({
    mutationFn: () => redeliver(id, deliveryId),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["webhooks", "deliveries", id] }),
  });
  return (
    <>
      {again.error && <ProblemText error={again.error} />}
      <div className="actions">
        <Button isPending={again.isPending} onPress={() => again.mutate()}>
          {t.webhooks.again}
        </Button>
      </div>
    </>
  );
}

/** The words of somebody else: they are shown as they are, and mean nothing here. */
function Answered({ text }: { text: string }) {
  const t = useMessages();
  return (
    <section className="card stack">
      <h2>{t.webhooks.answered}</h2>
      <pre className="body answered" dir="ltr">
        {text}
      </pre>
      <p className="hint">{t.webhooks.answeredHint}</p>
    </section>
  );
}

function Body({ text }: { text: string }) {
  const t = useMessages();
  return (
    <section className="card stack">
      <h2>{t.webhooks.body}</h2>
      <pre className="body" dir="ltr">
        {JSON.stringify(JSON.parse(text), null, 2)}
      </pre>
      <p className="hint">{t.webhooks.bodyHint}</p>
      <div className="actions">
        <CopyButton text={text} />
      </div>
    </section>
  );
}

const tones: Record<Schemas["Delivery"]["status"], Tone> = {
  WAITING: "busy",
  DELIVERED: "good",
  FAILED: "bad",
  DROPPED: "bad",
  NOTED: "calm",
};

export function DeliveryBadge({ status }: { status: Schemas["Delivery"]["status"] }) {
  const t = useMessages();
  return <Badge tone={tones[status]}>{t.deliveryStatuses[status]}</Badge>;
}
