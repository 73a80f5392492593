import { useMutation } from "@tanstack/react-query";
import { useMessages } from "../../base/messages.ts";
import { ConfirmDialog } from "../../parts/ConfirmDialog.tsx";
import { type Endpoint, type EndpointWithSecret, rotate } from "./queries.ts";

type Props = { endpoint: Endpoint; onRotated: (endpoint: EndpointWithSecret) => void; onClose: () => void };

export function RotateDialog({ endpoint, onRotated, onClose }: Props) {
  const t = useMessages();
  const renew = useMutation({
    mutationFn: () => rotate(endpoint.id),
    onSuccess: (rotated) => {
      onRotated(rotated);
      onClose();
    },
    // The answer has the secret itself.
    gcTime: 0,
  });
  return (
    <ConfirmDialog
      title={t.webhooks.rotateTitle}
      submit={t.webhooks.rotateSubmit}
      keep={t.form.cancel}
      kind="main"
      isPending={renew.isPending}
      error={renew.error}
      onSubmit={() => renew.mutate()}
      onClose={onClose}
    >
      <p>{t.webhooks.rotateText}</p>
    </ConfirmDialog>
  );
}
