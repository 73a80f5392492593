import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useMay } from "../../../api/session-context.ts";
import { useMessages } from "../../../base/messages.ts";
import { useRoute } from "../../../base/router.ts";
import { Button } from "../../../parts/Button.tsx";
import { Empty } from "../../../parts/Empty.tsx";
import { Loaded } from "../../../parts/Loaded.tsx";
import { Pager } from "../../../parts/Pager.tsx";
import { ShownKey } from "../../keys/ShownKey.tsx";
import type { AnyKey } from "../shared/keys/any-key.ts";
import { KeyTable } from "../shared/keys/KeyTable.tsx";
import { RevokeDialog } from "../shared/keys/RevokeDialog.tsx";
import { RotateDialog } from "../shared/keys/RotateDialog.tsx";
import { IssueForm } from "./IssueForm.tsx";
import { keysQuery, revokeKey, rotateKey } from "./keys.ts";
import type { Account } from "./queries.ts";

export function AccountKeys({ account }: { account: Account }) {
  const t = useMessages();
  const mayChange = useMay("admin:accounts");
  const [isIssuing, setIsIssuing] = useState(false);
  const [shown, setShown] = useState<string | null>(null);
  const show = (key: string) => {
    setShown(key);
    setIsIssuing(false);
  };
  return (
    <>
      {shown && <ShownKey key={shown} issued={{ key: shown }} onDone={() => setShown(null)} />}
      {isIssuing && <IssueForm account={account} onIssued={show} onClose={() => setIsIssuing(false)} />}
      {mayChange && !isIssuing && (
        <div>
          <Button onPress={() => setIsIssuing(true)}>{t.keys.issue}</Button>
        </div>
      )}
      <KeyList account={account} mayChange={mayChange} onShown={show} />
    </>
  );
}

type ListProps = { account: Account; mayChange: boolean; onShown: (key: string) => void };

function KeyList({ account: { id }, mayChange, onShown }: ListProps) {
  const t = useMessages();
  const { query } = useRoute();
  const [revoked, setRevoked] = useState<AnyKey | null>(null);
  const [rotated, setRotated] = useState<AnyKey | null>(null);
  const acts = { onRevoke: setRevoked, onRotate: setRotated };
  return (
    <Loaded query={useQuery(keysQuery(id, query.get("cursor") ?? undefined))}>
      {({ data, meta }) =>
        data.length === 0 ? (
          <Empty title={t.keys.none} />
        ) : (
          <section className="card">
            <KeyTable caption={t.keys.list} keys={data} acts={mayChange ? acts : undefined} />
            <Pager nextCursor={meta.nextCursor} />
            {revoked && (
              <RevokeDialog
                of={revoked}
                revoke={(cascade) => revokeKey(id, revoked.id, cascade)}
                onClose={() => setRevoked(null)}
              />
            )}
            {rotated && (
              <RotateDialog
                of={rotated}
                rotate={(grace) => rotateKey(id, rotated.id, grace)}
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
