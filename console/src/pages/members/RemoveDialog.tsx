import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useMessages } from "../../base/messages.ts";
import { ConfirmDialog } from "../../parts/ConfirmDialog.tsx";
import { type Member, remove } from "./queries.ts";

export function RemoveDialog({ of, onClose }: { of: Member; onClose: () => void }) {
  const t = useMessages();
  const queryClient = useQueryClient();
  const end = useMutation({
    mutationFn: () => remove(of.id),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: ["members"] });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={t.members.removeTitle(of.name)}
      submit={t.members.removeSubmit}
      keep={t.members.keep}
      kind="danger"
      isPending={end.isPending}
      error={end.error}
      onSubmit={() => end.mutate()}
      onClose={onClose}
    >
      <p>{t.members.removeText}</p>
    </ConfirmDialog>
  );
}
