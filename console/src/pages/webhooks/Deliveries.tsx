import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Schemas } from "../../api/client.ts";
import { useMessages } from "../../base/messages.ts";
import { href, useRoute } from "../../base/router.ts";
import { useTexts } from "../../format/texts.ts";
import { Code } from "../../parts/Code.tsx";
import { Empty } from "../../parts/Empty.tsx";
import { ProblemText } from "../../parts/Failure.tsx";
import { Listing } from "../../parts/Listing.tsx";
import { RowAct } from "../../parts/RowAct.tsx";
import { type Column, Table } from "../../parts/Table.tsx";
import { DeliveryBadge } from "./DeliveryView.tsx";
import { deliveriesQuery, redeliver } from "./queries.ts";

type Delivery = Schemas["Delivery"];

export function Deliveries({ endpoint }: { endpoint: Schemas["Endpoint"] }) {
  const t = useMessages();
  const { query } = useRoute();
  const list = useQuery({
    ...deliveriesQuery(endpoint.id, query.get("cursor")),
    placeholderData: keepPreviousData,
  });
  return (
    <section className="card stack">
      <h2>{t.webhooks.deliveries}</h2>
      <Listing
        query={list}
        isPart
        empty={<Empty title={t.webhooks.noDeliveries} text={t.webhooks.noDeliveriesText} />}
        isEmptyWhole
      >
        {(data) => <DeliveryTable endpoint={endpoint} deliveries={data} />}
      </Listing>
    </section>
  );
}

function DeliveryTable({ endpoint, deliveries }: { endpoint: Schemas["Endpoint"]; deliveries: Delivery[] }) {
  const { t, format } = useTexts();
  const queryClient = useQueryClient();
  const again = useMutation({
    mutationFn: (id: string) => redeliver(endpoint.id, id),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["webhooks", "deliveries", endpoint.id] }),
  });
  const columns: Column<Delivery>[] = [
    {
      title: t.webhooks.event,
      isTitle: true,
      isWide: true,
      cell: (delivery) => <Event of={delivery} endpoint={endpoint} />,
    },
    { title: t.webhooks.state, cell: (delivery) => <State of={delivery} /> },
    { title: t.webhooks.answer, cell: (delivery) => <Answer of={delivery} /> },
    { title: t.webhooks.tries, isNumber: true, cell: ({ attempts }) => format.number(attempts) },
    {
      title: t.webhooks.again,
      cell: ({ id, status }) =>
        status === "NOTED" ? (
          "–"
        ) : (
          <RowAct
            text={t.webhooks.again}
            label={t.webhooks.againOf(id)}
            isPending={again.isPending && again.variables === id}
            onPress={() => again.mutate(id)}
          />
        ),
    },
  ];
  return (
    <>
      {again.error && <ProblemText error={again.error} />}
      <Table caption={t.webhooks.deliveries} columns={columns} rows={deliveries} idOf={({ id }) => id} />
    </>
  );
}

function State({ of: { status, nextAttemptAt } }: { of: Delivery }) {
  const { t, format } = useTexts();
  return (
    <span className="pile">
      <DeliveryBadge status={status} />
      {nextAttemptAt && <span className="hint">{t.webhooks.nextTry(format.moment(nextAttemptAt))}</span>}
    </span>
  );
}

function Event({ of: { type, id, createdAt }, endpoint }: { of: Delivery; endpoint: Schemas["Endpoint"] }) {
  const { t, format } = useTexts();
  const { query } = useRoute();
  return (
    <span className="pile">
      <a href={href(`/webhooks/${endpoint.id}`, { delivery: id, cursor: query.get("cursor") })}>{t.eventTypes[type]}</a>
      <span className="hint">{format.moment(createdAt)}</span>
      <Code className="uid faint">{id}</Code>
    </span>
  );
}

/** What the receiver has answered, and what is wrong with it. */
function Answer({ of: { error, responseStatus, responseBody, lastAttemptAt } }: { of: Delivery }) {
  const { t, format } = useTexts();
  if (!lastAttemptAt) return "–";
  const status = responseStatus === null ? "" : format.digits(String(responseStatus));
  return (
    <span className="pile">
      <span>{[status, error && t.deliveryErrors[error]].filter(Boolean).join(" · ") || "–"}</span>
      {responseBody && <Code className="answer faint">{responseBody}</Code>}
      <span className="hint">{format.moment(lastAttemptAt)}</span>
    </span>
  );
}
