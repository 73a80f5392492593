import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { answer, client, dataOf, type Schemas } from "../../api/client.ts";
import { useMessages } from "../../base/messages.ts";
import { goTo, useRoute } from "../../base/router.ts";
import { Button } from "../../parts/Button.tsx";
import { Confirm } from "../../parts/ConfirmDialog.tsx";
import { DialogButton } from "../../parts/DialogButton.tsx";
import { ProblemText } from "../../parts/Failure.tsx";
import { Loaded } from "../../parts/Loaded.tsx";
import { Page } from "../../parts/Page.tsx";
import { Deliveries } from "./Deliveries.tsx";
import { DeliveryView } from "./DeliveryView.tsx";
import { EndpointFacts } from "./EndpointFacts.tsx";
import { EndpointForm } from "./EndpointForm.tsx";
import { endpointQuery } from "./queries.ts";
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
    <Page title={t.webhooks.one} back={["/webhooks", t.webhooks.back]} scope="webhook">
      <Loaded query={endpoint}>{(endpoint) => <Whole endpoint={endpoint} />}</Loaded>
    </Page>
  );
}

function Whole({ endpoint }: { endpoint: Schemas["Endpoint"] }) {
  const t = useMessages();
  const [isChanging, setIsChanging] = useState(false);
  const [rotated, setRotated] = useState<Schemas["EndpointWithSecret"] | null>(null);
  return (
    <>
      {rotated && <Secret of={rotated} onDone={() => setRotated(null)} />}
      <EndpointFacts endpoint={endpoint}>
        <Acts endpoint={endpoint} onChange={() => setIsChanging(true)} onRotated={setRotated} />
      </EndpointFacts>
      {isChanging && (
        <EndpointForm
          title={t.webhooks.change}
          submit={t.webhooks.changeSubmit}
          of={endpoint}
          save={(settings) =>
            dataOf(client.PUT("/webhook/{id}", { params: { path: { id: endpoint.id } }, body: settings }))
          }
          onClose={() => setIsChanging(false)}
        />
      )}
      <Deliveries endpoint={endpoint} />
    </>
  );
}

function DeleteDialog({ endpoint, onClose }: { endpoint: Schemas["Endpoint"]; onClose: () => void }) {
  const t = useMessages();
  return (
    <Confirm
      title={t.webhooks.deleteTitle}
      submit={t.webhooks.deleteSubmit}
      kind="danger"
      ask={() => answer(client.DELETE("/webhook/{id}", { params: { path: { id: endpoint.id } } }))}
      stale={[["webhooks", "list"]]}
      onDone={() => goTo("/webhooks")}
      onClose={onClose}
    >
      <p>{t.webhooks.deleteText(endpoint.url)}</p>
    </Confirm>
  );
}

type Props = {
  endpoint: Schemas["Endpoint"];
  onRotated: (endpoint: Schemas["EndpointWithSecret"]) => void;
  onClose: () => void;
};

function RotateDialog({ endpoint, onRotated, onClose }: Props) {
  const t = useMessages();
  return (
    <Confirm
      title={t.webhooks.rotateTitle}
      submit={t.webhooks.rotateSubmit}
      ask={() => dataOf(client.POST("/webhook/{id}/rotate", { params: { path: { id: endpoint.id } } }))}
      isSecret
      onDone={(rotated) => {
        onRotated(rotated);
        onClose();
      }}
      onClose={onClose}
    >
      <p>{t.webhooks.rotateText}</p>
    </Confirm>
  );
}

type ActsProps = Omit<Props, "onClose"> & { onChange: () => void };

/** What can be done with an endpoint. What takes something away asks first. */
function Acts({ endpoint, onChange, onRotated }: ActsProps) {
  const t = useMessages();
  const queryClient = useQueryClient();
  const at = { params: { path: { id: endpoint.id } } };
  const onSuccess = () => queryClient.invalidateQueries({ queryKey: ["webhooks"] });
  const turn = useMutation({
    mutationFn: () => dataOf(client.PUT("/webhook/{id}", { ...at, body: { active: !endpoint.active } })),
    onSuccess,
  });
  const test = useMutation({ mutationFn: () => answer(client.POST("/webhook/{id}/test", at)), onSuccess });
  const error = turn.error ?? test.error;
  return (
    <>
      {error && <ProblemText error={error} />}
      <div className="actions">
        <DialogButton
          kind="link"
          isBad
          text={t.webhooks.delete}
          dialog={(close) => <DeleteDialog endpoint={endpoint} onClose={close} />}
        />
        <DialogButton
          kind="link"
          text={t.webhooks.rotate}
          dialog={(close) => <RotateDialog endpoint={endpoint} onRotated={onRotated} onClose={close} />}
        />
        <Button kind="quiet" onPress={onChange}>
          {t.webhooks.change}
        </Button>
        <Button kind="quiet" isPending={turn.isPending} onPress={() => turn.mutate()}>
          {endpoint.active ? t.webhooks.turnOff : t.webhooks.turnOn}
        </Button>
        {endpoint.active && (
          <Button isPending={test.isPending} onPress={() => test.mutate()}>
            {t.webhooks.test}
          </Button>
        )}
      </div>
    </>
  );
}
