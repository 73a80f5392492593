import { useQuery } from "@tanstack/react-query";
import { client, dataOf, type Schemas } from "../../../api/client.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { useOperatorTexts } from "../../../format/operator-texts.ts";
import { Badge, type Tone } from "../../../parts/Badge.tsx";
import { Confirm } from "../../../parts/ConfirmDialog.tsx";
import { RowAct } from "../../../parts/RowAct.tsx";
import { type Column, Table } from "../../../parts/Table.tsx";
import { accountQuery, operatorNamesQuery } from "../queries.ts";
import { AccountOfId } from "../shared/AccountLink.tsx";
import { Clip } from "../shared/Clip.tsx";
import { useUnit } from "../shared/unit.ts";

type Credit = Schemas["PendingCredit"];

const tones: Record<Schemas["PendingCredit"]["status"], Tone> = {
  PENDING: "warn",
  APPROVED: "good",
  REJECTED: "bad",
  EXPIRED: "calm",
};

type Props = { credits: Credit[]; onDecide: ((decision: Decision) => void) | undefined };

export function CreditTable({ credits, onDecide }: Props) {
  const { t, o, format } = useOperatorTexts();
  const unit = useUnit();
  const names = useQuery(operatorNamesQuery).data;
  const columns: Column<Credit>[] = [
    { title: o.credits.account, isWide: true, isTitle: true, cell: (credit) => <For credit={credit} /> },
    { title: t.wallet.amount, isNumber: true, cell: ({ amount }) => format.change(amount, unit) },
    {
      title: t.messages.status,
      cell: ({ status }) => <Badge tone={tones[status]}>{o.credits.statuses[status]}</Badge>,
    },
    {
      title: o.credits.by,
      cell: ({ createdBy, createdAt }) => (
        <div>
          <Clip>{names?.get(createdBy) ?? "–"}</Clip>
          <span className="hint">{format.moment(createdAt)}</span>
        </div>
      ),
    },
    { title: o.credits.until, cell: ({ decidedAt, expiresAt }) => format.moment(decidedAt ?? expiresAt) },
  ];
  if (onDecide)
    columns.push({
      title: o.credits.decide,
      cell: (credit) => (credit.status === "PENDING" ? <Acts of={credit} onDecide={onDecide} /> : "–"),
    });
  return <Table caption={o.pages.credits} columns={columns} rows={credits} idOf={({ id }) => id} />;
}

function For({ credit: { account, note } }: { credit: Credit }) {
  return (
    <>
      <AccountOfId id={account} />
      {note && (
        <span className="hint">
          <bdi>{note}</bdi>
        </span>
      )}
    </>
  );
}

function Acts({ of, onDecide }: { of: Credit; onDecide: (decision: Decision) => void }) {
  const o = useOperatorMessages();
  return (
    <span className="acts">
      <RowAct text={o.credits.approve} onPress={() => onDecide({ credit: of, isApproved: true })} />
      <RowAct isBad text={o.credits.reject} onPress={() => onDecide({ credit: of, isApproved: false })} />
    </span>
  );
}

export type Decision = { credit: Schemas["PendingCredit"]; isApproved: boolean };

export function DecideDialog({
  decision: { credit, isApproved },
  onClose,
}: {
  decision: Decision;
  onClose: () => void;
}) {
  const { o, format } = useOperatorTexts();
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
