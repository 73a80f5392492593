import { useState } from "react";
import { useChange } from "../../../api/change.ts";
import { answer, client, dataOf, type Schemas } from "../../../api/client.ts";
import { useMay } from "../../../api/session-context.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { useOperatorTexts } from "../../../format/operator-texts.ts";
import { Form } from "../../../parts/Form.tsx";
import { FormActions } from "../../../parts/FormActions.tsx";
import { usePage } from "../../../parts/Listing.tsx";
import { Page } from "../../../parts/Page.tsx";
import { TextField } from "../../../parts/TextField.tsx";
import { ScopeChecks } from "../../keys/ScopeChecks.tsx";
import { ShownKey } from "../../keys/ShownKey.tsx";
import { endOf, SpanSelect } from "../../keys/SpanSelect.tsx";
import { KeyList } from "../shared/keys/KeyList.tsx";
import { useOwnScopes } from "../shared/keys/own-scopes.ts";
import { FindKey } from "./FindKey.tsx";

export default function OperatorKeys() {
  const { t, o } = useOperatorTexts();
  const mayIssue = useMay("admin:service");
  const [shown, setShown] = useState<string | null>(null);
  return (
    <Page
      title={o.pages.keys}
      lead={o.keys.lead}
      scope="admin:read"
      adds={mayIssue && t.keys.issue}
      form={(close) => <IssueForm onIssued={setShown} onClose={close} />}
      above={shown && <ShownKey key={shown} issued={{ key: shown }} onDone={() => setShown(null)} />}
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

function IssueForm({ onIssued, onClose }: { onIssued: (key: string) => void; onClose: () => void }) {
  const { t, o } = useOperatorTexts();
  const names = useOwnScopes();
  const [title, setTitle] = useState("");
  const [scopes, setScopes] = useState<Schemas["OperatorScope"][]>([]);
  const [span, setSpan] = useState("never");
  const [isTried, setIsTried] = useState(false);
  const make = useChange({
    ask: () => dataOf(client.POST("/admin/keys", { body: { title: title.trim(), scopes, ...endOf(span) } })),
    stale: [["keys"]],
    // The answer has the key itself: nothing of it stays in memory longer than it is shown.
    isSecret: true,
    onDone: ({ key }) => {
      onIssued(key);
      onClose();
    },
  });
  const submit = () => {
    setIsTried(true);
    if (title.trim() !== "" && scopes.length > 0) make.mutate();
  };
  return (
    <Form className="card stack narrow" onSubmit={submit}>
      <h2>{t.keys.issueTitle}</h2>
      <TextField
        label={o.keys.whose}
        error={isTried && title.trim() === "" ? o.keys.noWhose : undefined}
        value={title}
        onChange={setTitle}
        autoFocus
      />
      <ScopeChecks names={names} value={scopes} onChange={setScopes} isMissing={isTried && scopes.length === 0} />
      <SpanSelect value={span} onChange={setSpan} />
      <FormActions submit={t.keys.issueSubmit} change={make} onCancel={onClose} />
    </Form>
  );
}
