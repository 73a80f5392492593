import type { UseQueryResult } from "@tanstack/react-query";
import { useState } from "react";
import type { Schemas } from "../../../../api/client.ts";
import { useSession } from "../../../../api/session-context.ts";
import { useOperatorTexts } from "../../../../format/operator-texts.ts";
import { Badge } from "../../../../parts/Badge.tsx";
import { Confirm } from "../../../../parts/ConfirmDialog.tsx";
import { Empty } from "../../../../parts/Empty.tsx";
import { Listing } from "../../../../parts/Listing.tsx";
import { RowAct } from "../../../../parts/RowAct.tsx";
import { Select } from "../../../../parts/Select.tsx";
import { KeyTable } from "../../../keys/KeyTable.tsx";
import { type Revoke, RevokeDialog } from "../../../keys/RevokeDialog.tsx";
import { Clip } from "../Clip.tsx";

type Key = Schemas["OperatorKey"] & Partial<Pick<Schemas["Key"], "mode">>;

type Props = {
  caption: string;
  query: UseQueryResult<{ data: Key[]; meta: Schemas["PageMeta"] }>;
  mayChange: boolean;
  revoke: Revoke;
  rotate: Rotate;
  onRotated: (key: string) => void;
};

/** The keys of an account or of operators, which are revoked and rotated here. */
export function KeyList({ caption, query, mayChange, revoke, rotate, onRotated }: Props) {
  const { t, o } = useOperatorTexts();
  const [revoked, setRevoked] = useState<Key | null>(null);
  const [rotated, setRotated] = useState<Key | null>(null);
  return (
    <Listing query={query} empty={<Empty title={t.keys.none} />}>
      {(keys) => (
        <>
          <KeyTable
            caption={caption}
            keys={keys}
            badges={(key) => <Badges of={key} />}
            may={{ title: t.keys.scopes, cell: ({ scopes }) => <Scopes scopes={scopes} /> }}
            acts={
              mayChange && {
                title: o.keys.acts,
                cell: (key) => <Acts of={key} onRotate={setRotated} onRevoke={setRevoked} />,
              }
            }
          />
          {revoked && (
            <RevokeDialog
              of={revoked}
              revoke={revoke}
              told={{ ok: o.form.ok, of: (thrownOut) => <ThrownOut cascade={thrownOut} /> }}
              onClose={() => setRevoked(null)}
            />
          )}
          {rotated && (
            <RotateDialog of={rotated} rotate={rotate} onRotated={onRotated} onClose={() => setRotated(null)} />
          )}
        </>
      )}
    </Listing>
  );
}

function Badges({ of: { id, mode, sessionOf } }: { of: Key }) {
  const { t, o } = useOperatorTexts();
  const { keyId } = useSession();
  return (
    <>
      {mode === "test" && <Badge tone="warn">{t.modes.test}</Badge>}
      {sessionOf && <Badge tone="busy">{id === keyId ? t.keys.current : o.keys.session}</Badge>}
    </>
  );
}

/** Few scopes are named; of many, how many they are is enough in a list. */
function Scopes({ scopes }: { scopes: string[] }) {
  const { o, format } = useOperatorTexts();
  const all = scopes.join(", ");
  return scopes.length > 2 ? (
    <span title={all}>{o.keys.scopeCount(format.number(scopes.length))}</span>
  ) : (
    <Clip isCode>{all}</Clip>
  );
}

type ActsProps = { of: Key; onRotate: (key: Key) => void; onRevoke: (key: Key) => void };

/** A session ends with its key or by itself, so nobody can put another one in its place. */
function Acts({ of, onRotate, onRevoke }: ActsProps) {
  const { t, o } = useOperatorTexts();
  return (
    <span className="acts">
      {!of.sessionOf && !of.replacedBy && (
        <RowAct text={o.keys.rotate} label={o.keys.rotateOf(of.title)} onPress={() => onRotate(of)} />
      )}
      <RowAct isBad text={t.keys.revoke} label={t.keys.revokeOf(of.title)} onPress={() => onRevoke(of)} />
    </span>
  );
}

function ThrownOut({ cascade: { keys, webhooks } }: { cascade: Schemas["Cascade"] }) {
  const { o, format } = useOperatorTexts();
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

const hour = 3_600;
/** For how many hours the old key may work on. The shortest one lets a lost answer be asked for again. */
const graces = [1, 24, 24 * 7, 24 * 30];

/** Answers with the new key, this one time. */
type Rotate = (key: string, body: { graceSeconds: number }) => Promise<{ key: string }>;

type RotateDialogProps = { of: Key; rotate: Rotate; onRotated: (key: string) => void; onClose: () => void };

function RotateDialog({ of, rotate, onRotated, onClose }: RotateDialogProps) {
  const { t, o, format } = useOperatorTexts();
  const [grace, setGrace] = useState("24");
  const span = (hours: number) =>
    hours < 24 ? o.keys.hours(format.number(hours)) : t.overview.days(format.number(hours / 24));
  return (
    <Confirm
      title={o.keys.rotateTitle(of.title)}
      submit={o.keys.rotateSubmit}
      ask={() => rotate(of.id, { graceSeconds: Number(grace) * hour })}
      stale={[["keys"]]}
      isSecret
      onDone={({ key }) => {
        onRotated(key);
        onClose();
      }}
      onClose={onClose}
    >
      <p>{o.keys.rotateText}</p>
      <Select
        label={o.keys.grace}
        value={grace}
        choices={graces.map((hours) => ({ id: String(hours), text: span(hours) }))}
        onChange={setGrace}
      />
    </Confirm>
  );
}
