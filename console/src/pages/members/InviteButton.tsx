import { useMutation } from "@tanstack/react-query";
import { useMessages } from "../../base/messages.ts";
import { Button } from "../../parts/Button.tsx";
import { ProblemText } from "../../parts/Failure.tsx";
import type { Member } from "./queries.ts";

type Props = { of: Member; invite: (id: string) => Promise<unknown> };

/** Sends the invitation again to who has not accepted it yet. */
export function InviteButton({ of: { id, name }, invite }: Props) {
  const t = useMessages();
  const again = useMutation({ mutationFn: () => invite(id) });
  if (again.isSuccess) return <span role="status">{t.members.inviteDone(name)}</span>;
  return (
    <>
      <Button
        kind="link"
        aria-label={t.members.inviteAgainOf(name)}
        isPending={again.isPending}
        onPress={() => again.mutate()}
      >
        {t.members.inviteAgain}
      </Button>
      {again.error && <ProblemText error={again.error} />}
    </>
  );
}
