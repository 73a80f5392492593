import { useState } from "react";
import { everything, useChange } from "../../../../api/change.ts";
import type { Schemas } from "../../../../api/client.ts";
import { useMessages } from "../../../../base/messages.ts";
import { useOperatorMessages } from "../../../../base/operator-messages.ts";
import { useFormat } from "../../../../format/format.ts";
import { ConfirmDialog } from "../../../../parts/ConfirmDialog.tsx";
import { YesNo } from "../../../../parts/YesNo.tsx";
import type { AnyKey } from "./any-key.ts";

type Cascade = Schemas["Cascade"];

/** Answers with what was thrown out with it, if that was asked for. */
export type Revoke = (key: string, query: { cascade?: "true" }) => Promise<{ data: Cascade } | undefined>;

type Props = { of: AnyKey; revoke: Revoke; onClose: () => void };

export function RevokeDialog({ of, revoke, onClose }: Props) {
  const t = useMessages();
  const o = useOperatorMessages();
  const format = useFormat();
  const [cascade, setCascade] = useState(false);
  const end = useChange(async () => (await revoke(of.id, cascade ? { cascade: "true" } : {}))?.data, {
    stale: everything,
    onDone: (thrownOut) => {
      if (!thrownOut) onClose();
    },
  });
  const used = of.lastUsedAt ? format.ago(of.lastUsedAt) : t.keys.neverUsed;
  return (
    <ConfirmDialog
      title={t.keys.revokeTitle(of.title)}
      submit={end.data ? o.form.ok : t.keys.revokeSubmit}
      keep={t.keys.keep}
      kind={end.data ? "main" : "danger"}
      change={end}
      onSubmit={end.data ? onClose : () => end.mutate()}
      onClose={onClose}
    >
      {end.data ? (
        <ThrownOut cascade={end.data} />
      ) : (
        <>
          <p>{t.keys.revokeText}</p>
          <p>{t.keys.revokeLast(used)}</p>
          <YesNo label={t.keys.cascade} value={cascade} onChange={setCascade} />
        </>
      )}
    </ConfirmDialog>
  );
}

function ThrownOut({ cascade: { keys, webhooks } }: { cascade: Cascade }) {
  const o = useOperatorMessages();
  const format = useFormat();
  return (
    <div role="status">
      <p>{o.keys.thrownOut(format.number(keys.length), format.number(webhooks.length))}</p>
      <ul>
        {keys.map(({ id, title }) => (
          <li key={id} dir="auto">
            {title}
          </li>
        ))}
        {webhooks.map(({ id, url }) => (
          <li key={id} dir="ltr">
            {url}
          </li>
        ))}
      </ul>
    </div>
  );
}
