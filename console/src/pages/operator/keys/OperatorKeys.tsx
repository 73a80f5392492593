import { useState } from "react";
import { answer, client, dataOf } from "../../../api/client.ts";
import { useMay } from "../../../api/session-context.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { useOperatorTexts } from "../../../format/operator-texts.ts";
import { usePage } from "../../../parts/Listing.tsx";
import { Page } from "../../../parts/Page.tsx";
import { IssueForm } from "../../keys/IssueForm.tsx";
import { ShownKey } from "../../keys/ShownKey.tsx";
import { KeyList } from "../shared/keys/KeyList.tsx";
import { useOwnScopes } from "../shared/keys/own-scopes.ts";
import { FindKey } from "./FindKey.tsx";

export default function OperatorKeys() {
  const { t, o } = useOperatorTexts();
  const mayIssue = useMay("admin:service");
  const names = useOwnScopes();
  const [shown, setShown] = useState<string | null>(null);
  return (
    <Page
      title={o.pages.keys}
      lead={o.keys.lead}
      scope="admin:read"
      adds={mayIssue && t.keys.issue}
      form={(close) => (
        <IssueForm
          named={[o.keys.whose, o.keys.noWhose]}
          scopes={names}
          usual={[]}
          issue={(body) => dataOf(client.POST("/admin/keys", { body }))}
          onIssued={setShown}
          onClose={close}
        />
      )}
      above={shown && <ShownKey of={shown} onDone={() => setShown(null)} />}
    >
      <Keys mayChange={mayIssue} onRotated={setShown} />
      <FindKey />
    </Page>
  );
}

function Keys(props: { mayChange: boolean; onRotated: (key: string) => void }) {
  const o = useOperatorMessages();
  return (
    <KeyList
      caption={o.pages.keys}
      query={usePage(["keys", "operators"], "/admin/keys")}
      revoke={(key, query) => answer(client.DELETE("/admin/keys/{key}", { params: { path: { key }, query } }))}
      rotate={(key, body) => dataOf(client.POST("/admin/keys/{key}/rotate", { params: { path: { key } }, body }))}
      {...props}
    />
  );
}
