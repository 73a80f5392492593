import { useQuery } from "@tanstack/react-query";
import { client, dataOf, type Schemas } from "../../../api/client.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { useFormat } from "../../../format/format.ts";
import { Confirm } from "../../../parts/ConfirmDialog.tsx";
import { accountQuery } from "../queries.ts";
import { useUnit } from "../shared/unit.ts";

export type Decision = { credit: Schemas["PendingCredit"]; isApproved: boolean };

export function DecideDialog({
  decision: { credit, isApproved },
  onClose,
}: {
  decision: Decision;
  onClose: () => void;
}) {
  const o = useOperatorMessages();
  const format = useFormat();
  const unit = useUnit();
  const account = useQuery(accountQuery(credit.account)).data;
  const at = { params: { path: { id: credit.id } } };
  const amount = format.change(credit.amount, unit);
  const money = (value: number) => format.money(value, unit);
  return (
    <Confirm
      title={isApproved ? o.credits.approveTitle(amount) : o.credits.rejectTitle(amount)}
      submit={isApproved ? o.credits.approve : o.credits.reject}
      kind={isApproved ? "main" : "danger"}
      ask={() =>
        dataOf(
          isApproved ? client.POST("/admin/credits/{id}/approve", at) : client.POST("/admin/credits/{id}/reject", at),
        )
      }
      stale={[["credits"], ["accounts"]]}
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
    </Confirm>
  );
}
