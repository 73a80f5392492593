import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { answer, client, dataOf } from "../../../api/client.ts";
import { pageQuery } from "../../../api/queries.ts";
import { useMay } from "../../../api/session-context.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { useRoute } from "../../../base/router.ts";
import { useOperatorTexts } from "../../../format/operator-texts.ts";
import { Button } from "../../../parts/Button.tsx";
import { Heading } from "../../../parts/Heading.tsx";
import { NeedsScope } from "../../../parts/NeedsScope.tsx";
import { ShownKey } from "../../keys/ShownKey.tsx";
import { KeyList } from "../shared/keys/KeyList.tsx";
import { FindKey } from "./FindKey.tsx";
import { IssueForm } from "./IssueForm.tsx";

export default function OperatorKeys() {
  const { t, o } = useOperatorTexts();
  const mayIssue = useMay("admin:service");
  const [isIssuing, setIsIssuing] = useState(false);
  const [shown, setShown] = useState<string | null>(null);
  const show = (key: string) => {
    setShown(key);
    setIsIssuing(false);
  };
  return (
    <>
      <Heading title={o.pages.keys}>
        {mayIssue && !isIssuing && <Button onPress={() => setIsIssuing(true)}>{t.keys.issue}</Button>}
      </Heading>
      <p className="faint">{o.keys.lead}</p>
      {shown && <ShownKey key={shown} issued={{ key: shown }} onDone={() => setShown(null)} />}
      {isIssuing && <IssueForm onIssued={show} onClose={() => setIsIssuing(false)} />}
      <NeedsScope scope="admin:read">
        <Keys mayChange={mayIssue} onRotated={show} />
        <FindKey />
      </NeedsScope>
    </>
  );
}

function Keys(props: { mayChange: boolean; onRotated: (key: string) => void }) {
  const o = useOperatorMessages();
  const { query } = useRoute();
  return (
    <KeyList
      caption={o.pages.keys}
      query={useQuery(pageQuery(["keys", "operators"], "/admin/keys", { query: { cursor: query.get("cursor") } }))}
      revoke={(key, query) => answer(client.DELETE("/admin/keys/{key}", { params: { path: { key }, query } }))}
      rotate={(key, body) => dataOf(client.POST("/admin/keys/{key}/rotate", { params: { path: { key } }, body }))}
      {...props}
    />
  );
}
