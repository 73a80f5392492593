import { useChange } from "../../api/change.ts";
import type { Schemas } from "../../api/client.ts";
import { useSession } from "../../api/session-context.ts";
import { useMessages } from "../../base/messages.ts";
import { useTexts } from "../../format/texts.ts";
import { Badge } from "../../parts/Badge.tsx";
import { Button } from "../../parts/Button.tsx";
import { ProblemText } from "../../parts/Failure.tsx";
import { Phone } from "../../parts/Phone.tsx";
import { type Column, Table } from "../../parts/Table.tsx";
import { LinkButton } from "./MemberLink.tsx";

type Act = (member: Schemas["Member"]) => void;
type Props = {
  members: Schemas["Member"][];
  invite?: (id: string) => Promise<unknown>;
  onChange?: Act;
  onLink?: Act;
  onRemove?: Act;
};

export function MemberTable({ members, invite, onChange, onLink, onRemove }: Props) {
  const { t, format } = useTexts();
  const { member: own } = useSession();
  const columns: Column<Schemas["Member"]>[] = [
    {
      title: t.members.name,
      isWide: true,
      isTitle: true,
      cell: ({ name, phone, joinedAt }) => (
        <span className="text-link">
          <b dir="auto">{name}</b>
          {own?.phone === phone && <Badge tone="busy">{t.members.you}</Badge>}
          {joinedAt === null && <Badge tone="busy">{t.members.notJoined}</Badge>}
        </span>
      ),
    },
    { title: t.members.phone, cell: ({ phone }) => <Phone of={phone} /> },
    { title: t.members.role, cell: ({ role }) => t.roles[role].name },
    { title: t.members.since, cell: ({ createdAt }) => format.moment(createdAt) },
  ];
  if (onRemove)
    columns.push({
      title: t.members.change,
      cell: (member) => (
        <span className="actions">
          {onChange && own?.phone !== member.phone && (
            <Button kind="link" aria-label={t.members.changeOf(member.name)} onPress={() => onChange(member)}>
              {t.members.changeRole}
            </Button>
          )}
          {invite && member.joinedAt === null && <InviteButton of={member} invite={invite} />}
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
  return <Table caption={t.members.list} columns={columns} rows={members} idOf={({ id }) => id} />;
}

type InviteButtonProps = { of: Schemas["Member"]; invite: (id: string) => Promise<unknown> };

/** Sends an invitation to who has accepted none yet. */
function InviteButton({ of: { id, name }, invite }: InviteButtonProps) {
  const t = useMessages();
  const again = useChange({ ask: () => invite(id) });
  if (again.isSuccess) return <span role="status">{t.members.invitationSent}</span>;
  return (
    <>
      <Button
        kind="link"
        aria-label={t.members.sendInvitationTo(name)}
        isPending={again.isPending}
        onPress={() => again.mutate()}
      >
        {t.members.sendInvitation}
      </Button>
      {again.error && (
        <div className="told">
          <ProblemText error={again.error} />
        </div>
      )}
    </>
  );
}
