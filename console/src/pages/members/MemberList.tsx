import type { UseQueryResult } from "@tanstack/react-query";
import { useChange } from "../../api/change.ts";
import type { Schemas } from "../../api/client.ts";
import { useSession } from "../../api/session-context.ts";
import { useMessages } from "../../base/messages.ts";
import { Badge } from "../../parts/Badge.tsx";
import { ProblemText } from "../../parts/Failure.tsx";
import { RowAct } from "../../parts/RowAct.tsx";
import { PeopleList } from "./PeopleList.tsx";
import { RoleDialog } from "./RoleDialog.tsx";

type Member = Schemas["Member"];

type Props = {
  query: UseQueryResult<{ data: Member[]; meta: Schemas["PageMeta"] }>;
  noneText: string;
  mayChange: boolean;
  invite: ((id: string) => Promise<unknown>) | undefined;
  /** Gives somebody else another role. */
  giveRole?: (id: string, role: Member["role"]) => Promise<unknown>;
  link?: (id: string) => Promise<{ url: string }>;
  remove: (id: string, query: { cascade?: "true" }) => Promise<unknown>;
};

/** The people of an account, as they see each other and as operators see them. */
export function MemberList({ invite, giveRole, ...list }: Props) {
  const t = useMessages();
  const own = useSession().member?.phone;
  return (
    <PeopleList
      caption={t.members.list}
      badges={({ phone, joinedAt }) => (
        <>
          {own === phone && <Badge tone="busy">{t.members.you}</Badge>}
          {joinedAt === null && <Badge tone="busy">{t.members.notJoined}</Badge>}
        </>
      )}
      rights={{ title: t.members.role, cell: ({ role }) => t.roles[role].name }}
      acts={(member) => (
        <>
          {giveRole && own !== member.phone && <RoleDialog of={member} giveRole={giveRole} />}
          {invite && member.joinedAt === null && <InviteButton of={member} invite={invite} />}
        </>
      )}
      {...list}
    />
  );
}

type InviteButtonProps = { of: Member; invite: (id: string) => Promise<unknown> };

/** Sends an invitation to who has accepted none yet. */
function InviteButton({ of: { id, name }, invite }: InviteButtonProps) {
  const t = useMessages();
  const again = useChange({ ask: () => invite(id) });
  if (again.isSuccess) return <span role="status">{t.members.invitationSent}</span>;
  return (
    <>
      <RowAct
        text={t.members.sendInvitation}
        label={t.members.sendInvitationTo(name)}
        isPending={again.isPending}
        onPress={() => again.mutate()}
      />
      {again.error && (
        <div className="told">
          <ProblemText error={again.error} />
        </div>
      )}
    </>
  );
}
