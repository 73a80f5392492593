import { useMutation, useQueryClient } from "@tanstack/react-query";
import { leaveDeleted } from "../../base/leave.ts";
import { useMessages } from "../../base/messages.ts";
import { useFormat } from "../../format/format.ts";
import { ConfirmDialog } from "../../parts/ConfirmDialog.tsx";
import { type Phonebook, remove } from "./queries.ts";

type Props = { of: Phonebook; onClose: () => void };

export function DeleteDialog({ of, onClose }: Props) {
  const t = useMessages();
  const format = useFormat();
  const queryClient = useQueryClient();
  const end = useMutation({
    mutationFn: () => remove(of.id),
    onSuccess: () => leaveDeleted(queryClient, "phonebooks", ["phonebooks", "one", of.id]),
  });
  const count = format.number(of.count);
  return (
    <ConfirmDialog
      title={t.phonebooks.deleteTitle(of.title)}
      submit={t.phonebooks.deleteSubmit(count)}
      keep={t.phonebooks.keep}
      kind="danger"
      isPending={end.isPending}
      error={end.error}
      onSubmit={() => end.mutate()}
      onClose={onClose}
    >
      <p>{t.phonebooks.deleteText(count)}</p>
    </ConfirmDialog>
  );
}
