import { useChange } from "../../../api/change.ts";
import { client, dataOf } from "../../../api/client.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { Button } from "../../../parts/Button.tsx";
import { ProblemText } from "../../../parts/Failure.tsx";
import { ShownSecret } from "../../../parts/ShownSecret.tsx";

/** Looking at an account as a viewer, by a link. In the same browser, its session would take the place of the operator's own. */
export function Look({ id }: { id: string }) {
  const o = useOperatorMessages();
  const make = useChange(() => dataOf(client.POST("/admin/accounts/{id}/console-link", { params: { path: { id } } })), {
    isSecret: true,
  });
  if (make.data)
    return (
      <ShownSecret
        title={o.members.look}
        text={o.members.lookOpen}
        secret={make.data.url}
        done={o.members.lookDone}
        onDone={() => make.reset()}
      />
    );
  return (
    <section className="card stack narrow">
      <h2>{o.members.look}</h2>
      <p>{o.members.lookText}</p>
      {make.error && <ProblemText error={make.error} />}
      <div>
        <Button kind="quiet" isPending={make.isPending} onPress={() => make.mutate()}>
          {o.members.lookSubmit}
        </Button>
      </div>
    </section>
  );
}
