import type { ReactNode } from "react";
import type { Schemas } from "../../api/client.ts";
import { useMessages } from "../../base/messages.ts";
import { useTexts } from "../../format/texts.ts";
import { Badge, type Tone } from "../../parts/Badge.tsx";
import { Code } from "../../parts/Code.tsx";
import { type Column, Table } from "../../parts/Table.tsx";

/** What the keys of accounts and those of operators have in common. */
export type AnyKey = Pick<
  Schemas["OperatorKey"],
  "id" | "title" | "hint" | "lastUsedAt" | "expiresAt" | "replacedBy" | "revokedAt"
>;

type Props<Key> = {
  caption: string;
  keys: Key[];
  /** What stands beside the name of a key. */
  badges: (key: Key) => ReactNode;
  /** What a key may do. */
  may: Column<Key>;
  /** What can be done to a key that works. */
  acts: Column<Key> | false;
};

export function KeyTable<Key extends AnyKey>({ caption, keys, badges, may, acts }: Props<Key>) {
  const { t, format } = useTexts();
  const columns: Column<Key>[] = [
    {
      title: t.keys.column,
      isWide: true,
      isTitle: true,
      cell: (key) => (
        <span className="text-link">
          <b dir="auto">{key.title}</b>
          {badges(key)}
        </span>
      ),
    },
    { title: t.keys.state, cell: (key) => <StateBadge of={key} /> },
    { title: t.keys.hint, cell: ({ hint }) => <Code className="uid">{hint ?? "–"}</Code> },
    may,
    { title: t.keys.used, cell: ({ lastUsedAt }) => (lastUsedAt ? format.ago(lastUsedAt) : t.keys.neverUsed) },
    { title: t.keys.expires, cell: ({ expiresAt }) => (expiresAt ? format.moment(expiresAt) : t.keys.never) },
  ];
  if (acts) columns.push({ ...acts, cell: (key) => (works(key) ? acts.cell(key) : "–") });
  return <Table caption={caption} columns={columns} rows={keys} idOf={({ id }) => id} />;
}

const tones = { active: "good", replaced: "warn", expired: "calm", revoked: "bad" } satisfies Record<string, Tone>;

function StateBadge({ of }: { of: AnyKey }) {
  const t = useMessages();
  const state = stateOf(of);
  const names = {
    active: t.keys.active,
    replaced: t.keys.replaced,
    expired: t.keys.expired,
    revoked: t.keys.revoked,
  };
  return <Badge tone={tones[state]}>{names[state]}</Badge>;
}

const hasEnded = ({ expiresAt }: AnyKey) => expiresAt !== null && Date.parse(expiresAt) <= Date.now();

function stateOf(key: AnyKey): keyof typeof tones {
  if (key.revokedAt) return "revoked";
  if (hasEnded(key)) return "expired";
  return key.replacedBy ? "replaced" : "active";
}

const works = (key: AnyKey) => ["active", "replaced"].includes(stateOf(key));
