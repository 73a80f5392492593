import { useMessages } from "../../base/messages.ts";
import { Confirm } from "../../parts/ConfirmDialog.tsx";
import { type Endpoint, type EndpointWithSecret, rotate } from "./queries.ts";

type Props = { endpoint: Endpoint; onRotated: (endpoint: EndpointWithSecret) => void; onClose: () => void };

export function RotateDialog({ endpoint, onRotated, onClose }: Props) {
  const t = useMessages();
  return (
    <Confirm
      title={t.webhooks.rotateTitle}
      submit={t.webhooks.rotateSubmit}
      ask={() => rotate(endpoint.id)}
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
