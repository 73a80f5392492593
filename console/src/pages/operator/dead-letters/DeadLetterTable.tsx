import type { Schemas } from "../../../api/client.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { useOperatorTexts } from "../../../format/operator-texts.ts";
import { useSpans } from "../../../format/spans.ts";
import { Badge } from "../../../parts/Badge.tsx";
import { Code } from "../../../parts/Code.tsx";
import { RowAct } from "../../../parts/RowAct.tsx";
import { type Column, Table } from "../../../parts/Table.tsx";
import { AccountLink } from "../shared/AccountLink.tsx";
import { CarrierLink } from "../shared/Links.tsx";

type Props = { letters: Schemas["DeadLetter"][]; onRetry: ((letter: Schemas["DeadLetter"]) => void) | undefined };

export function DeadLetterTable({ letters, onRetry }: Props) {
  const { o, format } = useOperatorTexts();
  const { since } = useSpans();
  const columns: Column<Schemas["DeadLetter"]>[] = [
    {
      title: o.deadLetters.account,
      isTitle: true,
      isWide: true,
      cell: ({ account, username, message }) => (
        <span className="two-lines">
          <AccountLink id={account} name={username} />
          <Code className="uid">{message}</Code>
        </span>
      ),
    },
    {
      title: o.deadLetters.kind,
      cell: ({ kind }) => <Badge tone={kind === "STUCK" ? "warn" : "bad"}>{o.deadLetterKinds[kind]}</Badge>,
    },
    {
      title: o.deadLetters.reason,
      isWide: true,
      cell: ({ reason, attempts }) => (
        <span className="two-lines">
          <Reason reason={reason} />
          <small>{o.deadLetters.attempts(format.number(attempts))}</small>
        </span>
      ),
    },
    {
      title: o.lines.carrier,
      cell: ({ carrier }) => (carrier ? <CarrierLink name={carrier} /> : "–"),
    },
    { title: o.deadLetters.recipients, isNumber: true, cell: ({ recipients }) => format.number(recipients) },
    { title: o.deadLetters.since, cell: ({ createdAt }) => since(createdAt) },
  ];
  if (onRetry)
    columns.push({
      title: o.deadLetters.act,
      cell: (letter) =>
        letter.kind === "STUCK" && <RowAct text={o.deadLetters.retry} onPress={() => onRetry(letter)} />,
    });
  return <Table caption={o.pages.deadLetters} columns={columns} rows={letters} idOf={({ id }) => String(id)} />;
}

/** The service has a few reasons, in English. */
export function Reason({ reason }: { reason: string }) {
  const reasons: Record<string, string> = useReasons();
  return <>{reasons[reason] ?? <bdi lang="en">{reason}</bdi>}</>;
}

function useReasons() {
  const o = useOperatorMessages();
  return {
    "it waits for its carrier for more than an hour": o.deadLetterReasons.waits,
    "the carrier refused it for now, each time": o.deadLetterReasons.refused,
    "no carrier took it in time": o.deadLetterReasons.late,
    "the carrier did not answer": o.deadLetterReasons.silent,
  };
}
