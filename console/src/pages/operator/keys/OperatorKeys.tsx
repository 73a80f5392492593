import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useMay } from "../../../api/session-context.ts";
import { useMessages } from "../../../base/messages.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { useRoute } from "../../../base/router.ts";
import { Button } from "../../../parts/Button.tsx";
import { Empty } from "../../../parts/Empty.tsx";
import { Heading } from "../../../parts/Heading.tsx";
import { Loaded } from "../../../parts/Loaded.tsx";
import { NeedsScope } from "../../../parts/NeedsScope.tsx";
import { Pager } from "../../../parts/Pager.tsx";
import { ShownKey } from "../../keys/ShownKey.tsx";
import type { AnyKey } from "../shared/keys/any-key.ts";
import { KeyTable } from "../shared/keys/KeyTable.tsx";
import { RevokeDialog } from "../shared/keys/RevokeDialog.tsx";
import { RotateDialog } from "../shared/keys/RotateDialog.tsx";
import { FindKey } from "./FindKey.tsx";
import { IssueForm } from "./IssueForm.tsx";
import { operatorKeysQuery, revokeOperatorKey, rotateOperatorKey } from "./queries.ts";

export default function OperatorKeys() {
  const t = useMessages();
  const o = useOperatorMessages();
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
        <KeyList mayChange={mayIssue} onShown={show} />
        <FindKey />
      </NeedsScope>
    </>
  );
}

function KeyList({ mayChange, onShown }: { mayChange: boolean; onShown: (key: string) => void }) {
  const t = useMessages();
  const o = useOperatorMessages();
  const { query } = useRoute();
  const [revoked, setRevoked] = useState<AnyKey | null>(null);
  const [rotated, setRotated] = useState<AnyKey | null>(null);
  const acts = { onRevoke: setRevoked, onRotate: setRotated };
  return (
    <Loaded query={useQuery(operatorKeysQuery(query.get("cursor") ?? undefined))}>
      {({ data, meta }) =>
        data.length === 0 ? (
          <Empty title={t.keys.none} />
        ) : (
          <section className="card">
            <KeyTable caption={o.pages.keys} keys={data} acts={mayChange ? acts : undefined} />
            <Pager nextCursor={meta.nextCursor} />
            {revoked && (
              <RevokeDialog
                of={revoked}
                revoke={(cascade) => revokeOperatorKey(revoked.id, cascade)}
                onClose={() => setRevoked(null)}
              />
            )}
            {rotated && (
              <RotateDialog
                of={rotated}
                rotate={(grace) => rotateOperatorKey(rotated.id, grace)}
                onRotated={onShown}
                onClose={() => setRotated(null)}
              />
            )}
          </section>
        )
      }
    </Loaded>
  );
}
