import { useState } from "react";
import { Checkbox } from "react-aria-components/Checkbox";
import { everything } from "../../api/change.ts";
import { answer, client, type Schemas } from "../../api/client.ts";
import { useSession } from "../../api/session-context.ts";
import { useMessages } from "../../base/messages.ts";
import { useTexts } from "../../format/texts.ts";
import { Badge } from "../../parts/Badge.tsx";
import { Button } from "../../parts/Button.tsx";
import { Code } from "../../parts/Code.tsx";
import { Confirm } from "../../parts/ConfirmDialog.tsx";
import { Empty } from "../../parts/Empty.tsx";
import { Listing, usePage } from "../../parts/Listing.tsx";
import { Page } from "../../parts/Page.tsx";
import { type Column, Table } from "../../parts/Table.tsx";
import { IssueForm } from "./IssueForm.tsx";
import { ShownKey } from "./ShownKey.tsx";

export default function Keys() {
  const t = useMessages();
  const { mode, scopes } = useSession();
  const [issued, setIssued] = useState<Schemas["IssuedKey"] | null>(null);
  const mayIssue = scopes.includes("keys") && mode === "live";
  return (
    <Page
      title={t.keys.title}
      lead={t.keys.lead}
      scope="keys"
      adds={mayIssue && t.keys.issue}
      form={(close) => <IssueForm onIssued={setIssued} onClose={close} />}
      above={issued && <ShownKey issued={issued} onDone={() => setIssued(null)} />}
    >
      <KeyList mayRevoke={mayIssue} />
    </Page>
  );
}

function KeyList({ mayRevoke }: { mayRevoke: boolean }) {
  const t = useMessages();
  const [revoked, setRevoked] = useState<Schemas["OwnKey"] | null>(null);
  return (
    <Listing query={usePage(["keys"], "/keys")} empty={<Empty title={t.keys.none} />}>
      {(data) => (
        <>
          <KeyTable keys={data} onRevoke={mayRevoke ? setRevoked : undefined} />
          {revoked && <RevokeDialog of={revoked} onClose={() => setRevoked(null)} />}
        </>
      )}
    </Listing>
  );
}

type Key = Schemas["OwnKey"];

const hasEnded = ({ expiresAt }: Key) => expiresAt !== null && Date.parse(expiresAt) <= Date.now();
const isActive = (key: Key) => key.revokedAt === null && !hasEnded(key);

function KeyTable({ keys, onRevoke }: { keys: Key[]; onRevoke: ((key: Key) => void) | undefined }) {
  const { t, format } = useTexts();
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

function RevokeDialog({ of, onClose }: { of: Schemas["OwnKey"]; onClose: () => void }) {
  const { t, format } = useTexts();
  const [cascade, setCascade] = useState(false);
  const used = of.lastUsedAt ? format.ago(of.lastUsedAt) : t.keys.neverUsed;
  return (
    <Confirm
      title={t.keys.revokeTitle(of.title)}
      submit={t.keys.revokeSubmit}
      keep={t.keys.keep}
      kind="danger"
      ask={() =>
        answer(
          client.DELETE("/keys/{id}", { params: { path: { id: of.id }, query: cascade ? { cascade: "true" } : {} } }),
        )
      }
      // Who revokes the key of the own session is out: this request notices it.
      stale={everything}
      onClose={onClose}
    >
      <p>{t.keys.revokeText}</p>
      <p>{t.keys.revokeLast(used)}</p>
      <Checkbox className="check" isSelected={cascade} onChange={setCascade}>
        <span className="box" />
        {t.keys.cascade}
      </Checkbox>
    </Confirm>
  );
}
