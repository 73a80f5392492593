import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useMessages } from "../../base/messages.ts";
import { ConfirmDialog } from "../../parts/ConfirmDialog.tsx";

type Props = { of: { name: string }; remove: () => Promise<unknown>; onClose: () => void };

export function RemoveDialog({ of, remove, onClose }: Props) {
  const t = useMessages();
  const queryClient = useQueryClient();
  const end = useMutation({
    mutationFn: remove,
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
