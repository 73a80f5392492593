import { useMutation, useQueryClient } from "@tanstack/react-query";
import { answer, client } from "../../api/client.ts";
import { useMessages } from "../../base/messages.ts";
import { useFormat } from "../../format/format.ts";
import { ConfirmDialog } from "../../parts/ConfirmDialog.tsx";
import { type MessageDetail, messageQuery } from "./queries.ts";

/** Says in numbers what a cancel does before it is done. */
export function CancelDialog({ message, onClose }: { message: MessageDetail; onClose: () => void }) {
  const t = useMessages();
  const format = useFormat();
  const queryClient = useQueryClient();
  const { uid } = message;
  const cancel = useMutation({
    mutationFn: async () => (await answer(client.DELETE("/messages/{uid}", { params: { path: { uid } } }))).data,
    onSuccess: (canceled) => {
      queryClient.setQueryData(messageQuery(uid).queryKey, canceled);
      void queryClient.invalidateQueries({ queryKey: ["account"] });
      void queryClient.invalidateQueries({ queryKey: ["messages"] });
      onClose();
    },
  });
  const people = format.number(message.recipientCount);
  return (
    <ConfirmDialog
      title={t.message.cancelTitle}
      submit={t.message.cancelSubmit(people)}
      keep={t.message.keep}
      kind="danger"
      isPending={cancel.isPending}
      error={cancel.error}
      onSubmit={() => cancel.mutate()}
      onClose={onClose}
    >
      <p>{t.message.cancelText(people, format.money(message.cost, message.unit))}</p>
    </ConfirmDialog>
  );
}
