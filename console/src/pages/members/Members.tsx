import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { everything } from "../../api/change.ts";
import { answer, client, dataOf, type Schemas } from "../../api/client.ts";
import { useSession } from "../../api/session-context.ts";
import { useMessages } from "../../base/messages.ts";
import { Confirm } from "../../parts/ConfirmDialog.tsx";
import { Empty } from "../../parts/Empty.tsx";
import { Listing, usePage } from "../../parts/Listing.tsx";
import { Page } from "../../parts/Page.tsx";
import { signInRuleQuery } from "../queries.ts";
import { AddForm } from "./AddForm.tsx";
import { forADay, MemberLink } from "./MemberLink.tsx";
import { MemberTable } from "./MemberTable.tsx";
import { RemoveDialog } from "./RemoveDialog.tsx";
import { RoleChoice } from "./RoleChoice.tsx";
import { SignInRule } from "./SignInRule.tsx";

type Member = Schemas["Member"];

export default function Members() {
  const t = useMessages();
  const { mode, scopes } = useSession();
  const mayChange = scopes.includes("keys") && mode === "live";
  const rule = useQuery({ ...signInRuleQuery, enabled: mayChange }).data;
  const needsPasskey = rule?.require === "PASSKEY";
  return (
    <Page
      title={t.members.title}
      lead={t.members.lead}
      scope="keys"
      adds={mayChange && t.members.add}
      form={(close) => (
        <AddForm
          needsPasskey={needsPasskey}
          add={(body) => dataOf(client.POST("/members", { body }))}
          onClose={close}
        />
      )}
    >
      <MemberList mayChange={mayChange} mayInvite={!needsPasskey} />
      {mayChange && <SignInRule />}
    </Page>
  );
}

const invite = (id: string) => answer(client.POST("/members/{id}/invitation", { params: { path: { id } } }));

function MemberList({ mayChange, mayInvite }: { mayChange: boolean; mayInvite: boolean }) {
  const t = useMessages();
  const [changed, setChanged] = useState<Member | null>(null);
  const [linked, setLinked] = useState<Member | null>(null);
  const [removed, setRemoved] = useState<Member | null>(null);
  const acts = { ...(mayInvite && { invite }), onChange: setChanged, onLink: setLinked, onRemove: setRemoved };
  return (
    <>
      {linked && (
        <MemberLink
          key={linked.id}
          of={linked}
          make={() => dataOf(client.POST("/members/{id}/link", { params: { path: { id: linked.id } }, body: forADay }))}
          onClose={() => setLinked(null)}
        />
      )}
      <Listing
        query={usePage(["members"], "/members")}
        empty={
          <Empty title={t.members.none}>
            <p>{t.members.noneText}</p>
          </Empty>
        }
      >
        {(data) => (
          <>
            <MemberTable members={data} {...(mayChange ? acts : {})} />
            {changed && <RoleDialog of={changed} onClose={() => setChanged(null)} />}
            {removed && (
              <RemoveDialog
                of={removed}
                remove={(query) =>
                  answer(client.DELETE("/members/{id}", { params: { path: { id: removed.id }, query } }))
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

function RoleDialog({ of, onClose }: { of: Schemas["Member"]; onClose: () => void }) {
  const t = useMessages();
  const [role, choose] = useState(of.role);
  return (
    <Confirm
      title={t.members.roleTitle(of.name)}
      submit={t.members.roleSubmit}
      keep={t.members.keep}
      ask={() => dataOf(client.PATCH("/members/{id}", { params: { path: { id: of.id } }, body: { role } }))}
      stale={everything}
      onClose={onClose}
    >
      <RoleChoice value={role} onChange={choose} />
      <p>{t.members.roleText}</p>
    </Confirm>
  );
}
