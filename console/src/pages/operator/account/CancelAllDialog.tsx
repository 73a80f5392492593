import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { useFormat } from "../../../format/format.ts";
import { ConfirmDialog } from "../../../parts/ConfirmDialog.tsx";
import { type Account, cancelAll } from "./queries.ts";
import { UnsentFacts, useReserved } from "./Unsent.tsx";

/** Takes back all that has not left, and says afterwards how much that was. */
export function CancelAllDialog({ account, onClose }: { account: Account; onClose: () => void }) {
  const o = useOperatorMessages();
  const format = useFormat();
  const queryClient = useQueryClient();
  const cancel = useMutation({
    mutationFn: () => cancelAll(account.id),
    // A part of it may be done also if it has failed.
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["accounts"] }),
  });
  const reserved = useReserved(account);
  const { data: done } = cancel;
  return (
    <ConfirmDialog
      title={o.cancelAll.ask(account.fullName)}
      submit={done ? o.form.ok : o.cancelAll.submit}
      kind={done ? "main" : "danger"}
      change={cancel}
      onSubmit={done ? onClose : () => cancel.mutate()}
      onClose={onClose}
    >
      {!done && <UnsentFacts id={account.id} />}
      <p role="status">
        {done
          ? o.cancelAll.done(format.number(done.canceled), format.number(done.withCarriers))
          : o.cancelAll.text(reserved)}
      </p>
    </ConfirmDialog>
  );
}
