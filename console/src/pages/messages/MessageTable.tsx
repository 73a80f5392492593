import type { Schemas } from "../../api/client.ts";
import { href } from "../../base/router.ts";
import { useTexts } from "../../format/texts.ts";
import { Badge, StatusBadge } from "../../parts/Badge.tsx";
import { Code } from "../../parts/Code.tsx";
import { useShownText } from "../../parts/erased.ts";
import { type Column, Table } from "../../parts/Table.tsx";

type Message = Schemas["Message"];

type Props = {
  caption: string;
  messages: Message[];
  /** The address of the page of a message; the customer's own page of it if left out. */
  to?: (message: Message) => string;
};

const ownPage = ({ uid }: Message) => href(`/messages/${uid}`);

export function MessageTable({ caption, messages, to = ownPage }: Props) {
  const { t, format } = useTexts();
  const columns: Column<Message>[] = [
    {
      title: t.messages.text,
      isWide: true,
      isTitle: true,
      cell: (message) => <TextLink message={message} to={to(message)} />,
    },
    { title: t.messages.status, cell: (message) => <StatusBadge of={message} /> },
    { title: t.messages.type, cell: ({ type }) => t.types[type] },
    { title: t.messages.line, cell: ({ sourceNumber }) => <Code>{format.digits(sourceNumber)}</Code> },
    { title: t.messages.people, isNumber: true, cell: ({ recipientCount }) => format.number(recipientCount) },
    { title: t.messages.cost, isNumber: true, cell: (message) => format.money(costOf(message), message.unit) },
    { title: t.messages.time, cell: ({ sendAt, createdAt }) => format.moment(sendAt ?? createdAt) },
  ];
  return <Table caption={caption} columns={columns} rows={messages} idOf={({ uid }) => uid} />;
}

/** A message is canceled if nothing of it has left: then it has cost nothing. */
const costOf = ({ status, cost }: Message) => (status === "CANCELED" ? 0 : cost);

function TextLink({ message, to }: { message: Message; to: string }) {
  const { t, format } = useTexts();
  const shown = useShownText();
  return (
    <span className="text-link">
      <a href={to} {...shown(message.message)} />
      {message.test && <Badge tone="calm">{t.messages.test}</Badge>}
      {message.simulated && !message.test && <Badge tone="calm">{t.messages.simulated}</Badge>}
      {message.skipped ? <Badge tone="calm">{t.messages.skipped(format.number(message.skipped))}</Badge> : null}
    </span>
  );
}
