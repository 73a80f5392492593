import { useMessages } from "../../base/messages.ts";
import { href } from "../../base/router.ts";
import { useFormat } from "../../format/format.ts";
import { Badge } from "../../parts/Badge.tsx";
import { Code } from "../../parts/Code.tsx";
import { isErased, useShownText } from "../../parts/erased.ts";
import { type Column, Table } from "../../parts/Table.tsx";
import { type Conversation, pathOf } from "./conversations.ts";
import { Sender } from "./Sender.tsx";

type Props = {
  conversations: Conversation[];
  /** There are older messages that are not read yet: they may belong to any of these. */
  hasMore: boolean;
};

export function ConversationTable({ conversations, hasMore }: Props) {
  const t = useMessages();
  const format = useFormat();
  const columns: Column<Conversation>[] = [
    { title: t.inbound.from, isTitle: true, cell: (conversation) => <SenderLink of={conversation} /> },
    { title: t.inbound.newest, isWide: true, cell: ({ newest }) => <NewestText text={newest.text} /> },
    { title: t.inbound.line, cell: ({ newest }) => <Code>{format.digits(newest.line)}</Code> },
    {
      title: t.inbound.count,
      isNumber: true,
      cell: ({ count }) => {
        const known = format.number(count);
        return hasMore ? t.inbound.atLeast(known) : known;
      },
    },
    { title: t.inbound.time, cell: ({ newest }) => format.moment(newest.receivedAt) },
  ];
  return <Table caption={t.inbound.list} columns={columns} rows={conversations} idOf={({ newest }) => newest.id} />;
}

function SenderLink({ of: { from, optOut } }: { of: Conversation }) {
  const t = useMessages();
  return (
    <span className="text-link">
      {isErased(from) ? (
        <Sender of={from} />
      ) : (
        <a href={href(pathOf(from))}>
          <Sender of={from} />
        </a>
      )}
      {optOut && <Badge tone="warn">{t.inbound.optOut}</Badge>}
    </span>
  );
}

function NewestText({ text }: { text: string }) {
  const shown = useShownText();
  return <span className="cut-after-two" {...shown(text)} />;
}
