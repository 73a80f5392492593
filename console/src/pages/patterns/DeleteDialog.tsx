import { useMutation, useQueryClient } from "@tanstack/react-query";
import { leaveDeleted } from "../../base/leave.ts";
import { useMessages } from "../../base/messages.ts";
import { useFormat } from "../../format/format.ts";
import { ConfirmDialog } from "../../parts/ConfirmDialog.tsx";
import { type Pattern, patternQuery, remove } from "./queries.ts";

export function DeleteDialog({ pattern, onClose }: { pattern: Pattern; onClose: () => void }) {
  const t = useMessages();
  const format = useFormat();
  const queryClient = useQueryClient();
  const end = useMutation({
    mutationFn: () => remove(pattern.slug),
    onSuccess: () => leaveDeleted(queryClient, "patterns", patternQuery(pattern.slug).queryKey),
  });
  return (
    <ConfirmDialog
      title={t.patterns.deleteTitle(pattern.title)}
      submit={t.patterns.deleteSubmit}
      keep={t.form.cancel}
      kind="danger"
      isPending={end.isPending}
      error={end.error}
      onSubmit={() => end.mutate()}
      onClose={onClose}
    >
      <p>{t.patterns.deleteText(format.number(pattern.versions.length), pattern.slug)}</p>
    </ConfirmDialog>
  );
}
