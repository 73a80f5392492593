import { useQuery } from "@tanstack/react-query";
import { answer, client, dataOf } from "../../api/client.ts";
import { useSession } from "../../api/session-context.ts";
import { useMessages } from "../../base/messages.ts";
import { usePage } from "../../parts/Listing.tsx";
import { Page } from "../../parts/Page.tsx";
import { signInRuleQuery } from "../queries.ts";
import { AddForm } from "./AddForm.tsx";
import { forADay } from "./MemberLink.tsx";
import { MemberList } from "./MemberList.tsx";
import { SignInRule } from "./SignInRule.tsx";

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
      <List mayChange={mayChange} mayInvite={!needsPasskey} />
      {mayChange && <SignInRule />}
    </Page>
  );
}

type ListProps = { mayChange: boolean; mayInvite: boolean };

function List({ mayChange, mayInvite }: ListProps) {
  const t = useMessages();
  const at = (id: string) => ({ path: { id } });
  return (
    <MemberList
      query={usePage(["members"], "/members")}
      noneText={t.members.noneText}
      mayChange={mayChange}
      invite={mayInvite ? (id) => answer(client.POST("/members/{id}/invitation", { params: at(id) })) : undefined}
      giveRole={(id, role) => dataOf(client.PATCH("/members/{id}", { params: at(id), body: { role } }))}
      link={(id) => dataOf(client.POST("/members/{id}/link", { params: at(id), body: forADay }))}
      remove={(id, query) => answer(client.DELETE("/members/{id}", { params: { ...at(id), query } }))}
    />
  );
}
