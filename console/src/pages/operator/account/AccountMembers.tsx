import { useState } from "react";
import { useChange } from "../../../api/change.ts";
import { answer, client, dataOf, type Schemas } from "../../../api/client.ts";
import { useMay } from "../../../api/session-context.ts";
import { useMessages } from "../../../base/messages.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { Button } from "../../../parts/Button.tsx";
import { ProblemText } from "../../../parts/Failure.tsx";
import { usePage } from "../../../parts/Listing.tsx";
import { ShownSecret } from "../../../parts/ShownSecret.tsx";
import { AddForm } from "../../members/AddForm.tsx";
import { MemberList } from "../../members/MemberList.tsx";

/** The people of an account: an operator admits the first owner. */
export function AccountMembers({ account: { id } }: { account: Schemas["Account"] }) {
  const t = useMessages();
  const mayChange = useMay("admin:accounts");
  const [isAdding, setIsAdding] = useState(false);
  return (
    <>
      {isAdding && (
        <AddForm
          add={(member) =>
            dataOf(client.POST("/admin/accounts/{id}/members", { params: { path: { id } }, body: member }))
          }
          onClose={() => setIsAdding(false)}
        />
      )}
      {mayChange && !isAdding && (
        <div>
          <Button onPress={() => setIsAdding(true)}>{t.members.add}</Button>
        </div>
      )}
      <List id={id} mayChange={mayChange} />
      {mayChange && <Look id={id} />}
    </>
  );
}

function List({ id, mayChange }: { id: string; mayChange: boolean }) {
  const o = useOperatorMessages();
  const at = (member: string) => ({ path: { id, member } });
  return (
    <MemberList
      query={usePage(["members"], "/admin/accounts/{id}/members", { path: { id } })}
      noneText={o.members.noOwner}
      mayChange={mayChange}
      invite={(member) =>
        answer(client.POST("/admin/accounts/{id}/members/{member}/invitation", { params: at(member) }))
      }
      remove={(member, query) =>
        answer(client.DELETE("/admin/accounts/{id}/members/{member}", { params: { ...at(member), query } }))
      }
    />
  );
}

/** Looking at an account as a viewer, by a link. In the same browser, its session would take the place of the operator's own. */
function Look({ id }: { id: string }) {
  const o = useOperatorMessages();
  const make = useChange({
    ask: () => dataOf(client.POST("/admin/accounts/{id}/console-link", { params: { path: { id } } })),
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
