import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useMessages } from "../../../base/messages.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { useFormat } from "../../../format/format.ts";
import { ConfirmDialog } from "../../../parts/ConfirmDialog.tsx";
import { accountQuery } from "../account/queries.ts";
import { useUnit } from "../shared/unit.ts";
import { type Credit, decide } from "./queries.ts";

export type Decision = { credit: Credit; isApproved: boolean };

export function DecideDialog({
  decision: { credit, isApproved },
  onClose,
}: {
  decision: Decision;
  onClose: () => void;
}) {
  const t = useMessages();
  const o = useOperatorMessages();
  const format = useFormat();
  const unit = useUnit();
  const queryClient = useQueryClient();
  const account = useQuery(accountQuery(credit.account)).data;
  const end = useMutation({
    mutationFn: () => decide(credit.id, isApproved),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: ["credits"] });
      void queryClient.invalidateQueries({ queryKey: ["accounts"] });
      onClose();
    },
  });
  const amount = format.change(credit.amount, unit);
  const money = (value: number) => format.money(value, unit);
  return (
    <ConfirmDialog
      title={isApproved ? o.credits.approveTitle(amount) : o.credits.rejectTitle(amount)}
      submit={isApproved ? o.credits.approve : o.credits.reject}
      keep={t.form.cancel}
      kind={isApproved ? "main" : "danger"}
      isPending={end.isPending}
      error={end.error}
      onSubmit={() => end.mutate()}
      onClose={onClose}
    >
      {isApproved ? (
        account && (
          <p>
            {o.credit.effect(
              account.fullName,
              money(account.wallet.availableBalance),
              money(account.wallet.availableBalance + credit.amount),
            )}
          </p>
        )
      ) : (
        <p>{o.credits.rejectText}</p>
      )}
      {isApproved && <p className="hint">{o.credits.other}</p>}
    </ConfirmDialog>
  );
}
