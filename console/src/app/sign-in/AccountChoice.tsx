import { useMutation } from "@tanstack/react-query";
import { chooseAccount, type Session, sessionQuery } from "../../api/session.ts";
import { useMessages } from "../../base/messages.ts";
import { Button } from "../../parts/Button.tsx";
import { ProblemText } from "../../parts/Failure.tsx";
import { Heading } from "../../parts/Heading.tsx";
import { queryClient } from "../query-client.ts";
import { Front } from "./Front.tsx";

/** Asks a member of several accounts, who has just signed in, for which. */
export function AccountChoice({ session, onChosen }: { session: Session; onChosen: () => void }) {
  const t = useMessages();
  const choose = useMutation({
    mutationFn: (id: string) => chooseAccount(session, id),
    onSuccess: () => {
      onChosen();
      return queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
    },
  });
  return (
    <Front>
      <Heading title={t.signIn.chooseTitle} />
      <p>{t.signIn.chooseText}</p>
      {choose.error && <ProblemText error={choose.error} />}
      <ul className="plain stack">
        {session.accounts.map(({ id, fullName }) => (
          <li key={id}>
            <Button kind="quiet" isPending={choose.isPending} onPress={() => choose.mutate(id)}>
              {fullName ?? id}
            </Button>
          </li>
        ))}
      </ul>
    </Front>
  );
}
