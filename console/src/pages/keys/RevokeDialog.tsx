import { type ReactNode, useState } from "react";
import { everything, useChange } from "../../api/change.ts";
import type { Schemas } from "../../api/client.ts";
import { useTexts } from "../../format/texts.ts";
import { ConfirmDialog } from "../../parts/ConfirmDialog.tsx";
import { YesNo } from "../../parts/YesNo.tsx";
import type { AnyKey } from "./KeyTable.tsx";

/** Answers with what was thrown out with it, if that was asked for. */
export type Revoke = (key: string, query: { cascade?: "true" }) => Promise<{ data: Schemas["Cascade"] } | undefined>;

type Props = {
  of: AnyKey;
  revoke: Revoke;
  /** Says afterwards what was thrown out, until that is read. */
  told?: { ok: string; of: (thrownOut: Schemas["Cascade"]) => ReactNode };
  onClose: () => void;
};

export function RevokeDialog({ of, revoke, told, onClose }: Props) {
  const { t, format } = useTexts();
  const [cascade, setCascade] = useState(false);
  const end = useChange({
    ask: async () => (await revoke(of.id, cascade ? { cascade: "true" } : {}))?.data,
    // Who revokes the key of the own session is out: this request notices it.
    stale: everything,
    onDone: (thrownOut) => {
      if (!told || !thrownOut) onClose();
    },
  });
  const done = told && end.data && { ok: told.ok, shown: told.of(end.data) };
  const used = of.lastUsedAt ? format.ago(of.lastUsedAt) : t.keys.neverUsed;
  return (
    <ConfirmDialog
      title={t.keys.revokeTitle(of.title)}
      submit={done?.ok ?? t.keys.revokeSubmit}
      keep={t.keys.keep}
      kind={done ? "main" : "danger"}
      change={end}
      onSubmit={done ? onClose : () => end.mutate()}
      onClose={onClose}
    >
      {done?.shown ?? (
        <>
          <p>{t.keys.revokeText}</p>
          <p>{t.keys.revokeLast(used)}</p>
          <YesNo label={t.keys.cascade} value={cascade} onChange={setCascade} />
        </>
      )}
    </ConfirmDialog>
  );
}
