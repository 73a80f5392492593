import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useMessages } from "../../base/messages.ts";
import { goTo } from "../../base/router.ts";
import { ConfirmDialog } from "../../parts/ConfirmDialog.tsx";
import { type Endpoint, remove } from "./queries.ts";

export function DeleteDialog({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }) {
  const t = useMessages();
  const queryClient = useQueryClient();
  const end = useMutation({
    mutationFn: () => remove(endpoint.id),
    onSuccess: () => {
      goTo("/webhooks");
      void queryClient.invalidateQueries({ queryKey: ["webhooks", "list"] });
    },
  });
  return (
    <ConfirmDialog
      title={t.webhooks.deleteTitle}
      submit={t.webhooks.deleteSubmit}
      keep={t.form.cancel}
      kind="danger"
      isPending={end.isPending}
      error={end.error}
      onSubmit={() => end.mutate()}
      onClose={onClose}
    >
      <p>{t.webhooks.deleteText(endpoint.url)}</p>
    </ConfirmDialog>
  );
}
