import type { UseQueryResult } from "@tanstack/react-query";
import { useState } from "react";
import { everything, useChange } from "../../../../api/change.ts";
import type { Schemas } from "../../../../api/client.ts";
import { useSession } from "../../../../api/session-context.ts";
import { useMessages } from "../../../../base/messages.ts";
import { useOperatorTexts } from "../../../../format/operator-texts.ts";
import { Badge, type Tone } from "../../../../parts/Badge.tsx";
import { Button } from "../../../../parts/Button.tsx";
import { Code } from "../../../../parts/Code.tsx";
import { Confirm, ConfirmDialog } from "../../../../parts/ConfirmDialog.tsx";
import { Empty } from "../../../../parts/Empty.tsx";
import { Listing } from "../../../../parts/Listing.tsx";
import { Select } from "../../../../parts/Select.tsx";
import { type Column, Table } from "../../../../parts/Table.tsx";
import { YesNo } from "../../../../parts/YesNo.tsx";
import { Clip } from "../Clip.tsx";

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

type KeyActs = { onRevoke: (key: AnyKey) => void; onRotate: (key: AnyKey) => void };

type KeyTableProps = { caption: string; keys: AnyKey[]; acts: KeyActs | undefined };

function KeyTable({ caption, keys, acts }: KeyTableProps) {
  const { t, o, format } = useOperatorTexts();
  const columns: Column<AnyKey>[] = [
    { title: t.keys.column, isWide: true, isTitle: true, cell: (key) => <Name of={key} /> },
    { title: t.keys.state, cell: (key) => <StateBadge of={key} /> },
    { title: t.keys.hint, cell: ({ hint }) => <Code className="uid">{hint ?? "–"}</Code> },
    { title: t.keys.scopes, cell: ({ scopes }) => <Scopes scopes={scopes} /> },
    { title: t.keys.used, cell: ({ lastUsedAt }) => (lastUsedAt ? format.ago(lastUsedAt) : t.keys.neverUsed) },
    { title: t.keys.expires, cell: ({ expiresAt }) => (expiresAt ? format.moment(expiresAt) : t.keys.never) },
  ];
  if (acts) columns.push({ title: o.keys.acts, cell: (key) => (works(key) ? <Acts of={key} acts={acts} /> : "–") });
  return <Table caption={caption} columns={columns} rows={keys} idOf={({ id }) => id} />;
}

function Name({ of }: { of: AnyKey }) {
  const { t, o } = useOperatorTexts();
  const { keyId } = useSession();
  return (
    <span className="text-link">
      <b dir="auto">{of.title}</b>
      {of.mode === "test" && <Badge tone="warn">{t.modes.test}</Badge>}
      {of.sessionOf && <Badge tone="busy">{of.id === keyId ? t.keys.current : o.keys.session}</Badge>}
    </span>
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

const tones: Record<KeyState, Tone> = { active: "good", replaced: "warn", expired: "calm", revoked: "bad" };

function StateBadge({ of }: { of: AnyKey }) {
  const t = useMessages();
  const state = stateOf(of);
  const names: Record<KeyState, string> = {
    active: t.keys.active,
    replaced: t.keys.replaced,
    expired: t.keys.expired,
    revoked: t.keys.revoked,
  };
  return <Badge tone={tones[state]}>{names[state]}</Badge>;
}

/** A session ends with its key or by itself, so nobody can put another one in its place. */
function Acts({ of, acts }: { of: AnyKey; acts: KeyActs }) {
  const { t, o } = useOperatorTexts();
  return (
    <span className="acts">
      {!of.sessionOf && !of.replacedBy && (
        <Button kind="link" aria-label={o.keys.rotateOf(of.title)} onPress={() => acts.onRotate(of)}>
          {o.keys.rotate}
        </Button>
      )}
      <Button kind="link" className="bad" aria-label={t.keys.revokeOf(of.title)} onPress={() => acts.onRevoke(of)}>
        {t.keys.revoke}
      </Button>
    </span>
  );
}

/** Answers with what was thrown out with it, if that was asked for. */
type Revoke = (key: string, query: { cascade?: "true" }) => Promise<{ data: Schemas["Cascade"] } | undefined>;

type RevokeDialogProps = { of: AnyKey; revoke: Revoke; onClose: () => void };

function RevokeDialog({ of, revoke, onClose }: RevokeDialogProps) {
  const { t, o, format } = useOperatorTexts();
  const [cascade, setCascade] = useState(false);
  const end = useChange({
    ask: async () => (await revoke(of.id, cascade ? { cascade: "true" } : {}))?.data,
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

type RotateDialogProps = { of: AnyKey; rotate: Rotate; onRotated: (key: string) => void; onClose: () => void };

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

/** What the keys of accounts and those of operators have in common. */
type AnyKey = Schemas["OperatorKey"] & Partial<Pick<Schemas["Key"], "mode">>;

const hasEnded = ({ expiresAt }: AnyKey) => expiresAt !== null && Date.parse(expiresAt) <= Date.now();

type KeyState = "revoked" | "expired" | "replaced" | "active";

function stateOf(key: AnyKey): KeyState {
  if (key.revokedAt) return "revoked";
  if (hasEnded(key)) return "expired";
  return key.replacedBy ? "replaced" : "active";
}

const works = (key: AnyKey) => ["active", "replaced"].includes(stateOf(key));
