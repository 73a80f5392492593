import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useMessages } from "../../base/messages.ts";
import { ConfirmDialog } from "../../parts/ConfirmDialog.tsx";
import { deactivate, type Pattern } from "./queries.ts";

export function DeactivateDialog({ pattern, onClose }: { pattern: Pattern; onClose: () => void }) {
  const t = useMessages();
  const queryClient = useQueryClient();
  const end = useMutation({
    mutationFn: () => deactivate(pattern.slug),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: ["patterns"] });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={t.patterns.deactivateTitle(pattern.title)}
      submit={t.patterns.deactivate}
      keep={t.form.cancel}
      kind="danger"
      isPending={end.isPending}
      error={end.error}
      onSubmit={() => end.mutate()}
      onClose={onClose}
    >
      <p>{t.patterns.deactivateText(pattern.slug)}</p>
    </ConfirmDialog>
  );
}
