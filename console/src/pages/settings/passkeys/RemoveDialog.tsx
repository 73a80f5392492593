import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useMessages } from "../../../base/messages.ts";
import { ConfirmDialog } from "../../../parts/ConfirmDialog.tsx";
import { type Passkey, passkeysQuery, remove } from "./queries.ts";

export function RemoveDialog({ of, onClose }: { of: Passkey; onClose: () => void }) {
  const t = useMessages();
  const queryClient = useQueryClient();
  const end = useMutation({
    mutationFn: () => remove(of.id),
    onSuccess: () => {
      void queryClient.invalidateQueries(passkeysQuery);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={t.passkeys.removeTitle(of.title)}
      submit={t.passkeys.removeSubmit}
      keep={t.passkeys.keep}
      kind="danger"
      isPending={end.isPending}
      error={end.error}
      onSubmit={() => end.mutate()}
      onClose={onClose}
    >
      <p>{t.passkeys.removeText}</p>
    </ConfirmDialog>
  );
}
