import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Schemas } from "../../api/client.ts";
import { pageQuery } from "../../api/queries.ts";
import { useSession } from "../../api/session-context.ts";
import { useMessages } from "../../base/messages.ts";
import { useRoute } from "../../base/router.ts";
import { Button } from "../../parts/Button.tsx";
import { Empty } from "../../parts/Empty.tsx";
import { Heading } from "../../parts/Heading.tsx";
import { Listing } from "../../parts/Listing.tsx";
import { NeedsScope } from "../../parts/NeedsScope.tsx";
import { IssueForm } from "./IssueForm.tsx";
import { KeyTable } from "./KeyTable.tsx";
import { RevokeDialog } from "./RevokeDialog.tsx";
import { ShownKey } from "./ShownKey.tsx";

export default function Keys() {
  const t = useMessages();
  const { mode, scopes } = useSession();
  const [isIssuing, setIsIssuing] = useState(false);
  const [issued, setIssued] = useState<Schemas["IssuedKey"] | null>(null);
  const mayIssue = scopes.includes("keys") && mode === "live";
  return (
    <>
      <Heading title={t.keys.title}>
        {mayIssue && !isIssuing && <Button onPress={() => setIsIssuing(true)}>{t.keys.issue}</Button>}
      </Heading>
      <p className="faint">{t.keys.lead}</p>
      <NeedsScope scope="keys">
        {issued && <ShownKey issued={issued} onDone={() => setIssued(null)} />}
        {isIssuing && (
          <IssueForm
            onIssued={(key) => {
              setIssued(key);
              setIsIssuing(false);
            }}
            onClose={() => setIsIssuing(false)}
          />
        )}
        <KeyList mayRevoke={mayIssue} />
      </NeedsScope>
    </>
  );
}

function KeyList({ mayRevoke }: { mayRevoke: boolean }) {
  const t = useMessages();
  const { query } = useRoute();
  const [revoked, setRevoked] = useState<Schemas["OwnKey"] | null>(null);
  return (
    <Listing
      query={useQuery(pageQuery(["keys"], "/keys", { query: { cursor: query.get("cursor") } }))}
      empty={<Empty title={t.keys.none} />}
    >
      {(data) => (
        <>
          <KeyTable keys={data} onRevoke={mayRevoke ? setRevoked : undefined} />
          {revoked && <RevokeDialog of={revoked} onClose={() => setRevoked(null)} />}
        </>
      )}
    </Listing>
  );
}
