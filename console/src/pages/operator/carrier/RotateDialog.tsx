import { useMutation, useQueryClient } from "@tanstack/react-query";
import { answer, client } from "../../../api/client.ts";
import { useMessages } from "../../../base/messages.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { ConfirmDialog } from "../../../parts/ConfirmDialog.tsx";
import { carrierQuery } from "./queries.ts";

/** The new address for messages from phones stands among the settings afterwards. */
export function RotateDialog({ name, onClose }: { name: string; onClose: () => void }) {
  const t = useMessages();
  const o = useOperatorMessages();
  const queryClient = useQueryClient();
  const rotate = useMutation({
    mutationFn: async () =>
      (await answer(client.POST("/admin/carriers/{name}/rotate-callback", { params: { path: { name } } }))).data,
    onSuccess: (changed) => {
      queryClient.setQueryData(carrierQuery(name).queryKey, changed);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={o.carrier.rotateTitle(`\u2068${name}\u2069`)}
      submit={o.carrier.rotate}
      keep={t.form.cancel}
      kind="main"
      isPending={rotate.isPending}
      error={rotate.error}
      onSubmit={() => rotate.mutate()}
      onClose={onClose}
    >
      <p>{o.carrier.rotateText}</p>
    </ConfirmDialog>
  );
}
