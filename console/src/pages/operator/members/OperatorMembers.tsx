import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { answer, client, dataOf, type Schemas } from "../../../api/client.ts";
import { pageQuery } from "../../../api/queries.ts";
import { useMay } from "../../../api/session-context.ts";
import { useMessages } from "../../../base/messages.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { useRoute } from "../../../base/router.ts";
import { Button } from "../../../parts/Button.tsx";
import { Empty } from "../../../parts/Empty.tsx";
import { Heading } from "../../../parts/Heading.tsx";
import { Listing } from "../../../parts/Listing.tsx";
import { NeedsScope } from "../../../parts/NeedsScope.tsx";
import { forADay, MemberLink } from "../../members/MemberLink.tsx";
import { RemoveDialog } from "../../members/RemoveDialog.tsx";
import { AddForm } from "./AddForm.tsx";
import { OperatorTable } from "./OperatorTable.tsx";

type OperatorMember = Schemas["OperatorMember"];

export default function OperatorMembers() {
  const t = useMessages();
  const o = useOperatorMessages();
  const mayChange = useMay("admin:service");
  const [isAdding, setIsAdding] = useState(false);
  return (
    <>
      <Heading title={o.pages.members}>
        {mayChange && !isAdding && <Button onPress={() => setIsAdding(true)}>{t.members.add}</Button>}
      </Heading>
      <p className="faint">{o.members.lead}</p>
      {isAdding && <AddForm onClose={() => setIsAdding(false)} />}
      <NeedsScope scope="admin:read">
        <MemberList mayChange={mayChange} />
      </NeedsScope>
    </>
  );
}

function MemberList({ mayChange }: { mayChange: boolean }) {
  const t = useMessages();
  const o = useOperatorMessages();
  const { query } = useRoute();
  const [linked, setLinked] = useState<OperatorMember | null>(null);
  const [removed, setRemoved] = useState<OperatorMember | null>(null);
  const acts = { onLink: setLinked, onRemove: setRemoved };
  return (
    <>
      {linked && (
        <MemberLink
          key={linked.id}
          of={linked}
          make={() =>
            dataOf(client.POST("/admin/members/{id}/link", { params: { path: { id: linked.id } }, body: forADay }))
          }
          onClose={() => setLinked(null)}
        />
      )}
      <Listing
        query={useQuery(
          pageQuery(["members", "operators"], "/admin/members", { query: { cursor: query.get("cursor") } }),
        )}
        empty={
          <Empty title={t.members.none}>
            <p>{o.members.noneText}</p>
          </Empty>
        }
      >
        {(data) => (
          <>
            <OperatorTable members={data} {...(mayChange ? acts : {})} />
            {removed && (
              <RemoveDialog
                of={removed}
                remove={(query) =>
                  answer(client.DELETE("/admin/members/{id}", { params: { path: { id: removed.id }, query } }))
                }
                onClose={() => setRemoved(null)}
              />
            )}
          </>
        )}
      </Listing>
    </>
  );
}
