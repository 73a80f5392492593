import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useMessages } from "../../../base/messages.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { useFormat } from "../../../format/format.ts";
import { ConfirmDialog } from "../../../parts/ConfirmDialog.tsx";
import { directionOf } from "../../../parts/direction.ts";
import { approve, type PendingVersion } from "./queries.ts";

export function ApproveDialog({ pending, onClose }: { pending: PendingVersion; onClose: () => void }) {
  const t = useMessages();
  const o = useOperatorMessages();
  const format = useFormat();
  const queryClient = useQueryClient();
  const end = useMutation({
    mutationFn: () => approve(pending),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: ["patterns"] });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={o.patterns.approveTitle(pending.title)}
      submit={o.patterns.approve}
      keep={t.form.cancel}
      kind="main"
      isPending={end.isPending}
      error={end.error}
      onSubmit={() => end.mutate()}
      onClose={onClose}
    >
      <p>{o.patterns.approveText(format.number(pending.version.version))}</p>
      <p className="message-text" dir={directionOf(pending.version.text)}>
        {pending.version.text}
      </p>
    </ConfirmDialog>
  );
}
