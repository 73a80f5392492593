import { useState } from "react";
import { answer, client, dataOf, type Schemas } from "../../../api/client.ts";
import { useMay } from "../../../api/session-context.ts";
import { useOperatorTexts } from "../../../format/operator-texts.ts";
import { usePage } from "../../../parts/Listing.tsx";
import { Page } from "../../../parts/Page.tsx";
import { ScopeChecks } from "../../keys/ScopeChecks.tsx";
import { forADay } from "../../members/MemberLink.tsx";
import { PeopleList } from "../../members/PeopleList.tsx";
import { PersonForm } from "../../members/PersonForm.tsx";
import { useOwnScopes } from "../shared/keys/own-scopes.ts";

export default function OperatorMembers() {
  const { t, o } = useOperatorTexts();
  const mayChange = useMay("admin:service");
  return (
    <Page
      title={o.pages.members}
      lead={o.members.lead}
      scope="admin:read"
      adds={mayChange && t.members.add}
      form={(close) => <AddForm onClose={close} />}
    >
      <List mayChange={mayChange} />
    </Page>
  );
}

function List({ mayChange }: { mayChange: boolean }) {
  const { t, o } = useOperatorTexts();
  const names: Record<string, string> = o.scopes;
  const at = (id: string) => ({ path: { id } });
  return (
    <PeopleList
      caption={o.members.list}
      query={usePage(["members", "operators"], "/admin/members")}
      noneText={o.members.noneText}
      rights={{
        title: t.keys.scopes,
        isWide: true,
        cell: ({ scopes }) => scopes.map((scope) => names[scope] ?? scope).join(" · "),
      }}
      mayChange={mayChange}
      link={(id) => dataOf(client.POST("/admin/members/{id}/link", { params: at(id), body: forADay }))}
      remove={(id, query) => answer(client.DELETE("/admin/members/{id}", { params: { ...at(id), query } }))}
    />
  );
}

function AddForm({ onClose }: { onClose: () => void }) {
  const names = useOwnScopes();
  const [scopes, setScopes] = useState<Schemas["OperatorScope"][]>([]);
  const areMissing = scopes.length === 0;
  return (
    <PersonForm
      rights={(isTried) => (
        <ScopeChecks names={names} value={scopes} onChange={setScopes} isMissing={isTried && areMissing} />
      )}
      hasRights={!areMissing}
      add={(person) => dataOf(client.POST("/admin/members", { body: { ...person, scopes } }))}
      onClose={onClose}
    />
  );
}
