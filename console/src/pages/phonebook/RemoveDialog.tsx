import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useMessages } from "../../base/messages.ts";
import { useFormat } from "../../format/format.ts";
import { ConfirmDialog } from "../../parts/ConfirmDialog.tsx";
import { removeNumber, type SavedNumber } from "./queries.ts";

export function RemoveDialog({
  phonebookId,
  of,
  onClose,
}: {
  phonebookId: string;
  of: SavedNumber;
  onClose: () => void;
}) {
  const t = useMessages();
  const format = useFormat();
  const queryClient = useQueryClient();
  const end = useMutation({
    mutationFn: () => removeNumber(phonebookId, of.id),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: ["phonebooks"] });
      onClose();
    },
  });
  const who = [`\u2066${format.phone(of.number)}\u2069`, of.name && `\u2068${of.name}\u2069`]
    .filter(Boolean)
    .join(" · ");
  return (
    <ConfirmDialog
      title={t.phonebook.removeTitle}
      submit={t.phonebook.removeSubmit}
      keep={t.phonebooks.keep}
      kind="danger"
      isPending={end.isPending}
      error={end.error}
      onSubmit={() => end.mutate()}
      onClose={onClose}
    >
      <p>{t.phonebook.removeText(who)}</p>
    </ConfirmDialog>
  );
}
