import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useMessages } from "../../base/messages.ts";
import { useFormat } from "../../format/format.ts";
import { ConfirmDialog } from "../../parts/ConfirmDialog.tsx";
import { type BlockedNumber, unblock } from "./queries.ts";

export function UnblockDialog({ of, onClose }: { of: BlockedNumber; onClose: () => void }) {
  const t = useMessages();
  const format = useFormat();
  const queryClient = useQueryClient();
  const free = useMutation({
    mutationFn: () => unblock(of.number),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: ["blacklist"] });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={t.blacklist.removeTitle(`\u2066${format.phone(of.number)}\u2069`)}
      submit={t.blacklist.removeSubmit}
      keep={t.form.cancel}
      kind={of.optOut ? "danger" : "main"}
      isPending={free.isPending}
      error={free.error}
      onSubmit={() => free.mutate()}
      onClose={onClose}
    >
      <p>{t.blacklist.removeText}</p>
      {of.optOut && <p className="bad">{t.blacklist.removeOptOut}</p>}
    </ConfirmDialog>
  );
}
