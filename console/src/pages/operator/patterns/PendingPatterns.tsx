import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { answer, client, type Schemas } from "../../../api/client.ts";
import { useMay } from "../../../api/session-context.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { useRoute } from "../../../base/router.ts";
import { useOperatorTexts } from "../../../format/operator-texts.ts";
import { Badge } from "../../../parts/Badge.tsx";
import { Button } from "../../../parts/Button.tsx";
import { Code } from "../../../parts/Code.tsx";
import { Confirm } from "../../../parts/ConfirmDialog.tsx";
import { directionOf } from "../../../parts/direction.ts";
import { Empty } from "../../../parts/Empty.tsx";
import { Loaded } from "../../../parts/Loaded.tsx";
import { Page } from "../../../parts/Page.tsx";
import { Pager } from "../../../parts/Pager.tsx";
import { type Column, Table } from "../../../parts/Table.tsx";
import { pendingQuery } from "../queries.ts";
import { AccountLink } from "../shared/AccountLink.tsx";
import { RefuseDialog } from "./RefuseDialog.tsx";

type PendingVersion = Schemas["PendingVersion"];

export default function PendingPatterns() {
  const o = useOperatorMessages();
  return (
    <Page title={o.pages.patterns} lead={o.patterns.lead} scope="admin:read">
      <Found />
    </Page>
  );
}

const idOf = ({ account, slug, version }: PendingVersion) => `${account} ${slug} ${version.version}`;

function Found() {
  const o = useOperatorMessages();
  const { query } = useRoute();
  const mayApprove = useMay("admin:accounts");
  const [chosen, setChosen] = useState<PendingVersion | null>(null);
  const [refused, setRefused] = useState<PendingVersion | null>(null);
  return (
    <>
      <Loaded query={useQuery(pendingQuery(query.get("cursor")))}>
        {({ data, meta }) =>
          data.length === 0 ? (
            <Empty title={o.patterns.none} text={o.patterns.noneText} />
          ) : (
            <>
              {data.map((pending) => (
                <PendingCard
                  key={idOf(pending)}
                  pending={pending}
                  onApprove={mayApprove ? () => setChosen(pending) : undefined}
                  onRefuse={() => setRefused(pending)}
                />
              ))}
              <Pager nextCursor={meta.nextCursor} />
            </>
          )
        }
      </Loaded>
      {chosen && <ApproveDialog pending={chosen} onClose={() => setChosen(null)} />}
      {refused && <RefuseDialog pending={refused} onClose={() => setRefused(null)} />}
    </>
  );
}

function ApproveDialog({ pending, onClose }: { pending: Schemas["PendingVersion"]; onClose: () => void }) {
  const { o, format } = useOperatorTexts();
  const path = { id: pending.account, slug: pending.slug, n: pending.version.version };
  return (
    <Confirm
      title={o.patterns.approveTitle(pending.title)}
      submit={o.patterns.approve}
      ask={() =>
        answer(client.POST("/admin/accounts/{id}/patterns/{slug}/versions/{n}/activate", { params: { path } }))
      }
      stale={[["patterns"]]}
      onClose={onClose}
    >
      <p>{o.patterns.approveText(format.number(pending.version.version))}</p>
      <p className="message-text" dir={directionOf(pending.version.text)}>
        {pending.version.text}
      </p>
    </Confirm>
  );
}

type Props = { pending: Schemas["PendingVersion"]; onApprove: (() => void) | undefined; onRefuse: () => void };

/** A version that waits: whose it is, what it says, and what customers may put into it. */
function PendingCard({ pending: { account, username, slug, title, version }, onApprove, onRefuse }: Props) {
  const { o, format } = useOperatorTexts();
  return (
    <article className="card stack" aria-label={title}>
      <div className="heading">
        <h2 dir="auto">{title}</h2>
        {onApprove && (
          <div className="actions">
            <Button kind="quiet" onPress={onRefuse}>
              {o.patterns.refuse}
            </Button>
            <Button onPress={onApprove}>{o.patterns.approve}</Button>
          </div>
        )}
      </div>
      <p className="faint">
        <AccountLink id={account} name={username} /> · <Code>{slug}</Code> ·{" "}
        {o.patterns.version(format.number(version.version))} · {format.moment(version.createdAt)}
      </p>
      <p className="message-text" dir={directionOf(version.text)}>
        {version.text}
      </p>
      {version.textTruncated && <p className="hint">{o.patterns.truncated}</p>}
      {version.variables.length > 0 && <Variables variables={version.variables} />}
    </article>
  );
}

function Variables({ variables }: { variables: Schemas["Variable"][] }) {
  const { o, format } = useOperatorTexts();
  const columns: Column<Schemas["Variable"]>[] = [
    { title: o.patterns.variable, isTitle: true, cell: ({ name }) => <Code>{name}</Code> },
    { title: o.patterns.type, cell: ({ type }) => o.patterns.types[type] },
    { title: o.patterns.maxLength, isNumber: true, cell: ({ maxLength }) => format.number(maxLength) },
    {
      title: o.patterns.values,
      isWide: true,
      cell: ({ values, secret }) => (
        <span className="text-link">
          <bdi>{values?.join(o.form.comma) ?? o.patterns.any}</bdi>
          {secret && <Badge tone="calm">{o.patterns.secret}</Badge>}
        </span>
      ),
    },
  ];
  return <Table caption={o.patterns.variables} columns={columns} rows={variables} idOf={({ name }) => name} />;
}
