import type { Session } from "../../api/session.ts";
import { useMessages } from "../../base/messages.ts";
import { Button } from "../../parts/Button.tsx";
import { ProblemText } from "../../parts/Failure.tsx";
import { Heading } from "../../parts/Heading.tsx";
import { whoIs } from "../../parts/who.ts";
import { Front } from "./Front.tsx";
import type { Link } from "./use-link.ts";

/**
 * Asks who has opened a link whether it counts: who has a session, which of the two counts in this browser from now on; and who is
 * invited, whether to accept it.
 */
export function LinkQuestion({ link, session }: { link: Link; session: Session | null }) {
  const t = useMessages();
  const words = link.isInvitation
    ? {
        title: t.signIn.invitationTitle,
        question: t.signIn.invitationText,
        leave: t.signIn.invitationLeave,
        follow: t.signIn.invitationAccept,
      }
    : {
        title: t.signIn.linkTitle,
        question: t.signIn.linkQuestion,
        leave: t.signIn.linkStay,
        follow: t.signIn.linkFollow,
      };
  return (
    <Front>
      <Heading title={words.title} />
      {session && <p>{whoIs(t, session)}</p>}
      {link.error === null ? (
        <p>{words.question}</p>
      ) : link.isGone ? (
        <p className="bad" role="alert">
          {t.signIn.linkGone}
        </p>
      ) : (
        <ProblemText error={link.error} />
      )}
      <div className="actions">
        <Button kind="quiet" isDisabled={link.isPending} onPress={link.leave}>
          {words.leave}
        </Button>
        {!link.isGone && (
          <Button isPending={link.isPending} onPress={link.follow}>
            {words.follow}
          </Button>
        )}
      </div>
    </Front>
  );
}
