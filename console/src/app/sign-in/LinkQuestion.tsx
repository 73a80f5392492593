import type { Session } from "../../api/session.ts";
import { useMessages } from "../../base/messages.ts";
import { Button } from "../../parts/Button.tsx";
import { ProblemText } from "../../parts/Failure.tsx";
import { Heading } from "../../parts/Heading.tsx";
import { whoIs } from "../../parts/who.ts";
import { Front } from "./Front.tsx";
import type { Link } from "./use-link.ts";

/** Asks who has a session, and has opened a link, which of the two counts in this browser from now on. */
export function LinkQuestion({ link, session }: { link: Link; session: Session }) {
  const t = useMessages();
  return (
    <Front>
      <Heading title={t.signIn.linkTitle} />
      <p>{whoIs(t, session)}</p>
      {link.error === null ? (
        <p>{t.signIn.linkQuestion}</p>
      ) : link.isGone ? (
        <p className="bad" role="alert">
          {t.signIn.linkGone}
        </p>
      ) : (
        <ProblemText error={link.error} />
      )}
      <div className="actions">
        <Button kind="quiet" isDisabled={link.isPending} onPress={link.leave}>
          {t.signIn.linkStay}
        </Button>
        {!link.isGone && (
          <Button isPending={link.isPending} onPress={link.follow}>
            {t.signIn.linkFollow}
          </Button>
        )}
      </div>
    </Front>
  );
}
