import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect } from "react";
import type { Schemas } from "../../api/client.ts";
import { useTexts } from "../../format/texts.ts";
import { Code } from "../../parts/Code.tsx";
import { EndpointBadge } from "./EndpointBadge.tsx";
import { deliveriesQuery, endpointQuery } from "./queries.ts";

export function EndpointFacts({ endpoint, children }: { endpoint: Schemas["Endpoint"]; children: ReactNode }) {
  const { t, format } = useTexts();
  const { url, description, events, lowBalance, createdAt } = endpoint;
  return (
    <section className="card stack">
      <h2 className="endpoint">
        <Code>{url}</Code> <EndpointBadge of={endpoint} />
      </h2>
      {description && (
        <p>
          <bdi>{description}</bdi>
        </p>
      )}
      <Trouble endpoint={endpoint} />
      <dl className="facts wide-facts">
        <div>
          <dt>{t.webhooks.events}</dt>
          <dd>{events.map((type) => t.eventTypes[type]).join(t.form.comma)}</dd>
        </div>
        {lowBalance !== null && (
          <div>
            <dt>{t.webhooks.lowBalance}</dt>
            <dd>{format.money(lowBalance, "IRR")}</dd>
          </div>
        )}
        <div>
          <dt>{t.webhooks.made}</dt>
          <dd>{format.moment(createdAt)}</dd>
        </div>
      </dl>
      {children}
    </section>
  );
}

/** Why an endpoint gets nothing, and since when. */
function Trouble({ endpoint }: { endpoint: Schemas["Endpoint"] }) {
  const { t, format } = useTexts();
  const { data } = useQuery(deliveriesQuery(endpoint.id, null));
  const trouble = troubleOf(data?.data ?? []);
  useTriedEndpoint(endpoint.id, data?.data.map(({ lastAttemptAt }) => lastAttemptAt).join());
  const { disabledReason, failingSince, active } = endpoint;
  if (!disabledReason && (!active || !failingSince)) return null;
  return (
    <div className="note trouble">
      {disabledReason && <p>{t.webhooks.reasons[disabledReason]}</p>}
      {!disabledReason && failingSince && <p>{t.webhooks.failing(format.moment(failingSince))}</p>}
      {trouble && (
        <p>
          {t.webhooks.last(t.deliveryErrors[trouble.error])}
          {trouble.status !== null && ` (${format.digits(String(trouble.status))})`}
        </p>
      )}
      {disabledReason && <p>{t.webhooks.mend}</p>}
      {!disabledReason && trouble?.next && <p>{t.webhooks.nextTry(format.moment(trouble.next))}</p>}
    </div>
  );
}

/** Each try may change the endpoint: since then it fails, or does not, or it was stopped. `tries` differs after each of them. */
function useTriedEndpoint(id: string, tries: string | undefined) {
  const queryClient = useQueryClient();
  useEffect(() => {
    if (tries) void queryClient.invalidateQueries({ queryKey: endpointQuery(id).queryKey });
  }, [id, tries, queryClient]);
}

type Refusal = {
  error: NonNullable<Schemas["Delivery"]["error"]>;
  status: number | null;
  next: string | null;
};

/** What is wrong with an endpoint, as its deliveries say, the newest first; `null` if the last one that was tried was good. */
function troubleOf(deliveries: Schemas["Delivery"][]): Refusal | null {
  const tried = deliveries.filter(({ attempts }) => attempts > 0);
  const good = tried.findIndex(({ error }) => error === null);
  const failed = good < 0 ? tried : tried.slice(0, good);
  const newest = failed[0];
  if (!newest?.error) return null;
  const nexts = failed.flatMap(({ nextAttemptAt }) => nextAttemptAt ?? []);
  return { error: newest.error, status: newest.responseStatus, next: nexts.sort()[0] ?? null };
}
