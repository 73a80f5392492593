import { client, dataOf, type Schemas } from "../../api/client.ts";
import { useMessages } from "../../base/messages.ts";
import { Confirm } from "../../parts/ConfirmDialog.tsx";

type Props = {
  endpoint: Schemas["Endpoint"];
  onRotated: (endpoint: Schemas["EndpointWithSecret"]) => void;
  onClose: () => void;
};

export function RotateDialog({ endpoint, onRotated, onClose }: Props) {
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
