import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useMay } from "../../../api/session-context.ts";
import { useMessages } from "../../../base/messages.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { useRoute } from "../../../base/router.ts";
import { Button } from "../../../parts/Button.tsx";
import { Empty } from "../../../parts/Empty.tsx";
import { Loaded } from "../../../parts/Loaded.tsx";
import { Pager } from "../../../parts/Pager.tsx";
import { AddForm } from "../../members/AddForm.tsx";
import { MemberTable } from "../../members/MemberTable.tsx";
import type { Member } from "../../members/queries.ts";
import { RemoveDialog } from "../../members/RemoveDialog.tsx";
import { Look } from "./Look.tsx";
import { accountMembersQuery, addTo, inviteTo, removeFrom } from "./members.ts";
import type { Account } from "./queries.ts";

/** The people of an account: an operator admits the first owner. */
export function AccountMembers({ account: { id } }: { account: Account }) {
  const t = useMessages();
  const mayChange = useMay("admin:accounts");
  const [isAdding, setIsAdding] = useState(false);
  return (
    <>
      {isAdding && <AddForm add={(member) => addTo(id, member)} onClose={() => setIsAdding(false)} />}
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
  const t = useMessages();
  const o = useOperatorMessages();
  const { query } = useRoute();
  const [removed, setRemoved] = useState<Member | null>(null);
  return (
    <Loaded query={useQuery(accountMembersQuery(id, query.get("cursor") ?? undefined))}>
      {({ data, meta }) =>
        data.length === 0 ? (
          <Empty title={t.members.none}>
            <p>{o.members.noOwner}</p>
          </Empty>
        ) : (
          <section className="card">
            <MemberTable members={data} {...(mayChange ? { invite: inviteTo(id), onRemove: setRemoved } : {})} />
            <Pager nextCursor={meta.nextCursor} />
            {removed && (
              <RemoveDialog
                of={removed}
                remove={(cascade) => removeFrom(id, removed.id, cascade)}
                onClose={() => setRemoved(null)}
              />
            )}
          </section>
        )
      }
    </Loaded>
  );
}
