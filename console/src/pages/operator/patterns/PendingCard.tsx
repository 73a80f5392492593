import type { Schemas } from "../../../api/client.ts";
import { useOperatorTexts } from "../../../format/operator-texts.ts";
import { Badge } from "../../../parts/Badge.tsx";
import { Button } from "../../../parts/Button.tsx";
import { Code } from "../../../parts/Code.tsx";
import { directionOf } from "../../../parts/direction.ts";
import { type Column, Table } from "../../../parts/Table.tsx";
import { AccountLink } from "../shared/AccountLink.tsx";

type Variable = Schemas["Variable"];

type Props = { pending: Schemas["PendingVersion"]; onApprove: (() => void) | undefined };

/** A version that waits: whose it is, what it says, and what customers may put into it. */
export function PendingCard({ pending: { account, username, slug, title, version }, onApprove }: Props) {
  const { o, format } = useOperatorTexts();
  return (
    <article className="card stack" aria-label={title}>
      <div className="heading">
        <h2 dir="auto">{title}</h2>
        {onApprove && <Button onPress={onApprove}>{o.patterns.approve}</Button>}
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

function Variables({ variables }: { variables: Variable[] }) {
  const { o, format } = useOperatorTexts();
  const columns: Column<Variable>[] = [
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
