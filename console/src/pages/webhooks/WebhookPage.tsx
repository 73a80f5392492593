import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { client, dataOf, type Schemas } from "../../api/client.ts";
import { useMessages } from "../../base/messages.ts";
import { href, useRoute } from "../../base/router.ts";
import { Heading } from "../../parts/Heading.tsx";
import { Loaded } from "../../parts/Loaded.tsx";
import { NeedsScope } from "../../parts/NeedsScope.tsx";
import { Acts, type Open } from "./Acts.tsx";
import { DeleteDialog } from "./DeleteDialog.tsx";
import { Deliveries } from "./Deliveries.tsx";
import { DeliveryView } from "./DeliveryView.tsx";
import { EndpointFacts } from "./EndpointFacts.tsx";
import { EndpointForm } from "./EndpointForm.tsx";
import { endpointQuery } from "./queries.ts";
import { RotateDialog } from "./RotateDialog.tsx";
import { Secret } from "./Secret.tsx";

/** An endpoint with all its deliveries, or one of these, which the query of the address names. */
export default function WebhookPage({ id }: { id: string }) {
  const delivery = useRoute().query.get("delivery");
  return delivery ? <DeliveryView key={delivery} id={id} deliveryId={delivery} /> : <EndpointView id={id} />;
}

function EndpointView({ id }: { id: string }) {
  const t = useMessages();
  const endpoint = useQuery(endpointQuery(id));
  return (
    <>
      <p className="back">
        <a href={href("/webhooks")}>{t.webhooks.back}</a>
      </p>
      <Heading title={t.webhooks.one} />
      <NeedsScope scope="webhook">
        <Loaded query={endpoint}>{(endpoint) => <Whole endpoint={endpoint} />}</Loaded>
      </NeedsScope>
    </>
  );
}

function Whole({ endpoint }: { endpoint: Schemas["Endpoint"] }) {
  const t = useMessages();
  const [open, setOpen] = useState<Open>(null);
  const [rotated, setRotated] = useState<Schemas["EndpointWithSecret"] | null>(null);
  const close = () => setOpen(null);
  return (
    <>
      {rotated && <Secret of={rotated} onDone={() => setRotated(null)} />}
      <EndpointFacts endpoint={endpoint}>
        <Acts endpoint={endpoint} onOpen={setOpen} />
      </EndpointFacts>
      {open === "change" && (
        <EndpointForm
          title={t.webhooks.change}
          submit={t.webhooks.changeSubmit}
          of={endpoint}
          save={(settings) =>
            dataOf(client.PUT("/webhook/{id}", { params: { path: { id: endpoint.id } }, body: settings }))
          }
          onSaved={close}
          onClose={close}
        />
      )}
      {open === "rotate" && <RotateDialog endpoint={endpoint} onRotated={setRotated} onClose={close} />}
      {open === "delete" && <DeleteDialog endpoint={endpoint} onClose={close} />}
      <Deliveries endpoint={endpoint} />
    </>
  );
}
