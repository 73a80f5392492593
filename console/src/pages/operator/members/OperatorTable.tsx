import type { Schemas } from "../../../api/client.ts";
import { useMessages } from "../../../base/messages.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { useFormat } from "../../../format/format.ts";
import { Button } from "../../../parts/Button.tsx";
import { Code } from "../../../parts/Code.tsx";
import { type Column, Table } from "../../../parts/Table.tsx";
import { LinkButton } from "../../members/LinkButton.tsx";

type OperatorMember = Schemas["OperatorMember"];

type Act = (member: OperatorMember) => void;
type Props = { members: OperatorMember[]; onLink?: Act; onRemove?: Act };

export function OperatorTable({ members, onLink, onRemove }: Props) {
  const t = useMessages();
  const o = useOperatorMessages();
  const format = useFormat();
  const names: Record<string, string> = o.scopes;
  const columns: Column<OperatorMember>[] = [
    { title: t.members.name, isTitle: true, cell: ({ name }) => <b dir="auto">{name}</b> },
    { title: t.members.phone, cell: ({ phone }) => <Code>{format.phone(phone)}</Code> },
    {
      title: t.keys.scopes,
      isWide: true,
      cell: ({ scopes }) => scopes.map((scope) => names[scope] ?? scope).join(" · "),
    },
    { title: t.members.since, cell: ({ createdAt }) => format.moment(createdAt) },
  ];
  if (onRemove)
    columns.push({
      title: t.members.change,
      cell: (member) => (
        <span className="actions">
          {onLink && <LinkButton of={member} onLink={onLink} />}
          <Button
            kind="link"
            className="bad"
            aria-label={t.members.removeOf(member.name)}
            onPress={() => onRemove(member)}
          >
            {t.members.remove}
          </Button>
        </span>
      ),
    });
  return <Table caption={o.members.list} columns={columns} rows={members} idOf={({ id }) => id} />;
}
