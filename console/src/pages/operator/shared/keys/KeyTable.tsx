import { useSession } from "../../../../api/session-context.ts";
import { useMessages } from "../../../../base/messages.ts";
import { useOperatorMessages } from "../../../../base/operator-messages.ts";
import { useFormat } from "../../../../format/format.ts";
import { Badge, type Tone } from "../../../../parts/Badge.tsx";
import { Button } from "../../../../parts/Button.tsx";
import { Code } from "../../../../parts/Code.tsx";
import { type Column, Table } from "../../../../parts/Table.tsx";
import { Clip } from "../Clip.tsx";
import { type AnyKey, type KeyState, stateOf, works } from "./any-key.ts";

export type KeyActs = { onRevoke: (key: AnyKey) => void; onRotate: (key: AnyKey) => void };

type Props = { caption: string; keys: AnyKey[]; acts: KeyActs | undefined };

export function KeyTable({ caption, keys, acts }: Props) {
  const t = useMessages();
  const o = useOperatorMessages();
  const format = useFormat();
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
  const t = useMessages();
  const o = useOperatorMessages();
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
  const o = useOperatorMessages();
  const format = useFormat();
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
  const t = useMessages();
  const o = useOperatorMessages();
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
