import type { Schemas } from "../../api/client.ts";
import { useMessages } from "../../base/messages.ts";
import { useFormat } from "../../format/format.ts";
import { Badge } from "../../parts/Badge.tsx";
import { Button } from "../../parts/Button.tsx";
import { Code } from "../../parts/Code.tsx";
import { type Column, Table } from "../../parts/Table.tsx";

type Key = Schemas["OwnKey"];

const hasEnded = ({ expiresAt }: Key) => expiresAt !== null && Date.parse(expiresAt) <= Date.now();
const isActive = (key: Key) => key.revokedAt === null && !hasEnded(key);

export function KeyTable({ keys, onRevoke }: { keys: Key[]; onRevoke: ((key: Key) => void) | undefined }) {
  const t = useMessages();
  const format = useFormat();
  const columns: Column<Key>[] = [
    { title: t.keys.column, isWide: true, isTitle: true, cell: (key) => <Name of={key} /> },
    { title: t.keys.state, cell: (key) => <State of={key} /> },
    { title: t.keys.hint, cell: ({ hint }) => <Code className="uid">{hint ?? "–"}</Code> },
    { title: t.keys.mode, cell: ({ mode }) => t.modes[mode] },
    { title: t.keys.used, cell: ({ lastUsedAt }) => (lastUsedAt ? format.ago(lastUsedAt) : t.keys.neverUsed) },
    { title: t.keys.expires, cell: ({ expiresAt }) => (expiresAt ? format.moment(expiresAt) : t.keys.never) },
  ];
  if (onRevoke)
    columns.push({
      title: t.keys.revoke,
      cell: (key) =>
        isActive(key) ? (
          <Button kind="link" className="bad" aria-label={t.keys.revokeOf(key.title)} onPress={() => onRevoke(key)}>
            {t.keys.revoke}
          </Button>
        ) : (
          "–"
        ),
    });
  return <Table caption={t.keys.list} columns={columns} rows={keys} idOf={({ id }) => id} />;
}

function Name({ of }: { of: Key }) {
  const t = useMessages();
  return (
    <span className="text-link">
      <b dir="auto">{of.title}</b>
      {of.current && <Badge tone="busy">{t.keys.current}</Badge>}
    </span>
  );
}

function State({ of }: { of: Key }) {
  const t = useMessages();
  if (of.revokedAt) return <Badge tone="bad">{t.keys.revoked}</Badge>;
  if (hasEnded(of)) return <Badge tone="calm">{t.keys.expired}</Badge>;
  if (of.replacedBy) return <Badge tone="warn">{t.keys.replaced}</Badge>;
  return <Badge tone="good">{t.keys.active}</Badge>;
}
