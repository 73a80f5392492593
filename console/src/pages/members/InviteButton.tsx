import { useChange } from "../../api/change.ts";
import type { Schemas } from "../../api/client.ts";
import { useMessages } from "../../base/messages.ts";
import { Button } from "../../parts/Button.tsx";
import { ProblemText } from "../../parts/Failure.tsx";

type Props = { of: Schemas["Member"]; invite: (id: string) => Promise<unknown> };

/** Sends an invitation to who has accepted none yet. */
export function InviteButton({ of: { id, name }, invite }: Props) {
  const t = useMessages();
  const again = useChange(() => invite(id));
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
