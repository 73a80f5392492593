import { useState } from "react";
import { answer, client, dataOf, type Schemas } from "../../api/client.ts";
import { useSession } from "../../api/session-context.ts";
import { useMessages } from "../../base/messages.ts";
import { Badge } from "../../parts/Badge.tsx";
import { Empty } from "../../parts/Empty.tsx";
import { Listing, usePage } from "../../parts/Listing.tsx";
import { Page } from "../../parts/Page.tsx";
import { RowAct } from "../../parts/RowAct.tsx";
import { IssueForm } from "./IssueForm.tsx";
import { KeyTable } from "./KeyTable.tsx";
import { RevokeDialog } from "./RevokeDialog.tsx";
import { ShownKey } from "./ShownKey.tsx";

type Scope = NonNullable<Omit<Schemas["OwnKeyInput"], "key">["scopes"]>[number];

const usual: Scope[] = ["sms:send", "sms:read"];

export default function Keys() {
  const t = useMessages();
  const { mode, scopes } = useSession();
  const may = scopes as Scope[];
  const [shown, setShown] = useState<string | null>(null);
  const mayIssue = scopes.includes("keys") && mode === "live";
  return (
    <Page
      title={t.keys.title}
      lead={t.keys.lead}
      scope="keys"
      adds={mayIssue && t.keys.issue}
      form={(close) => (
        <IssueForm
          hasMode
          scopes={Object.fromEntries(may.map((scope) => [scope, t.scopes[scope]]))}
          hint={t.keys.wider}
          usual={usual.filter((scope) => may.includes(scope))}
          issue={(key, mode) => dataOf(client.POST("/keys", { body: { ...key, mode } }))}
          onIssued={setShown}
          onClose={close}
        />
      )}
      above={shown && <ShownKey of={shown} onDone={() => setShown(null)} />}
    >
      <KeyList mayRevoke={mayIssue} />
    </Page>
  );
}

function KeyList({ mayRevoke }: { mayRevoke: boolean }) {
  const t = useMessages();
  const [revoked, setRevoked] = useState<Schemas["OwnKey"] | null>(null);
  return (
    <Listing query={usePage(["keys"], "/keys")} empty={<Empty title={t.keys.none} />}>
      {(keys) => (
        <>
          <KeyTable
            caption={t.keys.list}
            keys={keys}
            badges={({ current }) => current && <Badge tone="busy">{t.keys.current}</Badge>}
            may={{ title: t.keys.mode, cell: ({ mode }) => t.modes[mode] }}
            acts={
              mayRevoke && {
                title: t.keys.revoke,
                cell: (key) => (
                  <RowAct
                    isBad
                    text={t.keys.revoke}
                    label={t.keys.revokeOf(key.title)}
                    onPress={() => setRevoked(key)}
                  />
                ),
              }
            }
          />
          {revoked && (
            <RevokeDialog
              of={revoked}
              revoke={(id, query) => answer(client.DELETE("/keys/{id}", { params: { path: { id }, query } }))}
              onClose={() => setRevoked(null)}
            />
          )}
        </>
      )}
    </Listing>
  );
}
