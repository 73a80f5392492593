import { useMessages } from "../../base/messages.ts";
import { Button } from "../../parts/Button.tsx";
import { ProblemText } from "../../parts/Failure.tsx";
import { Heading } from "../../parts/Heading.tsx";
import { Front } from "./Front.tsx";
import type { Link } from "./use-link.ts";

/** Says why a link has not signed in yet, and lets the person try it again: it may still be good. */
export function LinkFailure({ link, error }: { link: Link; error: Error }) {
  const t = useMessages();
  return (
    <Front>
      <Heading title={t.signIn.linkFollow} />
      <ProblemText error={error} />
      <div className="actions">
        <Button kind="quiet" onPress={link.leave}>
          {t.signIn.otherWay}
        </Button>
        <Button onPress={link.follow}>{t.state.again}</Button>
      </div>
    </Front>
  );
}
