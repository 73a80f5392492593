import { useState } from "react";
import { useChange } from "../../../api/change.ts";
import { answer, client, dataOf, type Schemas } from "../../../api/client.ts";
import { useMay } from "../../../api/session-context.ts";
import { useMessages } from "../../../base/messages.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { useOperatorTexts } from "../../../format/operator-texts.ts";
import { Button } from "../../../parts/Button.tsx";
import { Empty } from "../../../parts/Empty.tsx";
import { ProblemText } from "../../../parts/Failure.tsx";
import { Listing, usePage } from "../../../parts/Listing.tsx";
import { ShownSecret } from "../../../parts/ShownSecret.tsx";
import { AddForm } from "../../members/AddForm.tsx";
import { MemberTable } from "../../members/MemberTable.tsx";
import { RemoveDialog } from "../../members/RemoveDialog.tsx";

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
      <MemberList id={id} mayChange={mayChange} />
      {mayChange && <Look id={id} />}
    </>
  );
}

function MemberList({ id, mayChange }: { id: string; mayChange: boolean }) {
  const { t, o } = useOperatorTexts();
  const [removed, setRemoved] = useState<Schemas["Member"] | null>(null);
  const invite = (member: string) =>
    answer(client.POST("/admin/accounts/{id}/members/{member}/invitation", { params: { path: { id, member } } }));
  return (
    <Listing
      query={usePage(["members"], "/admin/accounts/{id}/members", { path: { id } })}
      empty={
        <Empty title={t.members.none}>
          <p>{o.members.noOwner}</p>
        </Empty>
      }
    >
      {(data) => (
        <>
          <MemberTable members={data} {...(mayChange ? { invite, onRemove: setRemoved } : {})} />
          {removed && (
            <RemoveDialog
              of={removed}
              remove={(query) =>
                answer(
                  client.DELETE("/admin/accounts/{id}/members/{member}", {
                    params: { path: { id, member: removed.id }, query },
                  }),
                )
              }
              onClose={() => setRemoved(null)}
            />
          )}
        </>
      )}
    </Listing>
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
