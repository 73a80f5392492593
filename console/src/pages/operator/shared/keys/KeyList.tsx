import type { UseQueryResult } from "@tanstack/react-query";
import { useState } from "react";
import type { Schemas } from "../../../../api/client.ts";
import { useMessages } from "../../../../base/messages.ts";
import { Empty } from "../../../../parts/Empty.tsx";
import { Listing } from "../../../../parts/Listing.tsx";
import type { AnyKey } from "./any-key.ts";
import { KeyTable } from "./KeyTable.tsx";
import { type Revoke, RevokeDialog } from "./RevokeDialog.tsx";
import { type Rotate, RotateDialog } from "./RotateDialog.tsx";

type Props = {
  caption: string;
  query: UseQueryResult<{ data: AnyKey[]; meta: Schemas["PageMeta"] }>;
  mayChange: boolean;
  revoke: Revoke;
  rotate: Rotate;
  onRotated: (key: string) => void;
};

/** The keys of an account or of operators, which are revoked and rotated here. */
export function KeyList({ caption, query, mayChange, revoke, rotate, onRotated }: Props) {
  const t = useMessages();
  const [revoked, setRevoked] = useState<AnyKey | null>(null);
  const [rotated, setRotated] = useState<AnyKey | null>(null);
  const acts = mayChange ? { onRevoke: setRevoked, onRotate: setRotated } : undefined;
  return (
    <Listing query={query} empty={<Empty title={t.keys.none} />}>
      {(keys) => (
        <>
          <KeyTable caption={caption} keys={keys} acts={acts} />
          {revoked && <RevokeDialog of={revoked} revoke={revoke} onClose={() => setRevoked(null)} />}
          {rotated && (
            <RotateDialog of={rotated} rotate={rotate} onRotated={onRotated} onClose={() => setRotated(null)} />
          )}
        </>
      )}
    </Listing>
  );
}
