import { useMutation, useQueryClient } from "@tanstack/react-query";
import { client, dataOf, type Schemas } from "../../../api/client.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { useFormat } from "../../../format/format.ts";
import { ConfirmDialog } from "../../../parts/ConfirmDialog.tsx";
import { UnsentFacts, useReserved } from "./Unsent.tsx";

/** Takes back all that has not left, and says afterwards how much that was. */
export function CancelAllDialog({ account, onClose }: { account: Schemas["Account"]; onClose: () => void }) {
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

/** One request may be too little for all of it. The rest does not leave meanwhile, so the next one goes on. */
async function cancelAll(id: string) {
  let canceled = 0;
  for (;;) {
    const data = await dataOf(client.POST("/admin/accounts/{id}/cancel", { params: { path: { id } } }));
    canceled += data.canceled;
    if (data.complete) return { canceled, withCarriers: data.withCarriers };
  }
}
