import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type Session, sessionQuery, switchTo } from "../../api/session.ts";
import { useSession } from "../../api/session-context.ts";
import { useMessages } from "../../base/messages.ts";
import { goTo } from "../../base/router.ts";
import { Badge } from "../../parts/Badge.tsx";
import { Button } from "../../parts/Button.tsx";
import { ProblemText } from "../../parts/Failure.tsx";

type Choice = Session["accounts"][number];

/** The accounts that the same phone is a member of. */
export function Accounts() {
  const t = useMessages();
  const { account, accounts } = useSession();
  const queryClient = useQueryClient();
  const over = useMutation({
    mutationFn: switchTo,
    onSuccess: () => {
      goTo("/");
      return queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
    },
  });
  if (accounts.length < 2) return null;
  const nameOf = ({ id, fullName }: Choice) => fullName ?? id;
  return (
    <section className="card stack narrow">
      <h2>{t.settings.accounts}</h2>
      <ul className="plain">
        {accounts.map((choice) => (
          <li key={choice.id} className="actions">
            <b dir="auto">{nameOf(choice)}</b>
            {choice.id === account?.id ? (
              <Badge tone="busy">{t.settings.current}</Badge>
            ) : (
              <Button kind="quiet" isPending={over.isPending} onPress={() => over.mutate(choice.id)}>
                {t.settings.switchTo(nameOf(choice))}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {over.error && <ProblemText error={over.error} />}
    </section>
  );
}
