import { useState } from "react";
import { answer, client, dataOf, type Schemas } from "../../../api/client.ts";
import { useMay } from "../../../api/session-context.ts";
import { useMessages } from "../../../base/messages.ts";
import { Button } from "../../../parts/Button.tsx";
import { usePage } from "../../../parts/Listing.tsx";
import { ShownKey } from "../../keys/ShownKey.tsx";
import { KeyList } from "../shared/keys/KeyList.tsx";
import { IssueForm } from "./IssueForm.tsx";

export function AccountKeys({ account }: { account: Schemas["Account"] }) {
  const t = useMessages();
  const { id } = account;
  const mayChange = useMay("admin:accounts");
  const [isIssuing, setIsIssuing] = useState(false);
  const [shown, setShown] = useState<string | null>(null);
  return (
    <>
      {shown && <ShownKey of={shown} onDone={() => setShown(null)} />}
      {isIssuing && <IssueForm account={account} onIssued={setShown} onClose={() => setIsIssuing(false)} />}
      {mayChange && !isIssuing && (
        <div>
          <Button onPress={() => setIsIssuing(true)}>{t.keys.issue}</Button>
        </div>
      )}
      <KeyList
        caption={t.keys.list}
        query={usePage(["keys", "account"], "/admin/accounts/{id}/keys", { path: { id } })}
        mayChange={mayChange}
        revoke={(key, query) =>
          answer(client.DELETE("/admin/accounts/{id}/keys/{key}", { params: { path: { id, key }, query } }))
        }
        rotate={(key, body) =>
          dataOf(client.POST("/admin/accounts/{id}/keys/{key}/rotate", { params: { path: { id, key } }, body }))
        }
        onRotated={setShown}
      />
    </>
  );
}
