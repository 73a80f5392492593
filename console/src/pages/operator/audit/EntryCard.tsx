import { useQuery } from "@tanstack/react-query";
import type { Schemas } from "../../../api/client.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { href } from "../../../base/router.ts";
import { useOperatorTexts } from "../../../format/operator-texts.ts";
import { Badge, type Tone } from "../../../parts/Badge.tsx";
import { Code } from "../../../parts/Code.tsx";
import { type Column, Table } from "../../../parts/Table.tsx";
import { operatorNamesQuery } from "../queries.ts";
import { AccountLink } from "../shared/AccountLink.tsx";
import { type Act, actOf, type Difference, differencesOf } from "./difference.ts";

const tones: Record<Act, Tone> = { created: "good", changed: "busy", removed: "bad", shown: "calm" };

/** More differences than this are folded up, so that a page stays a list. */
const few = 4;

/** One change: who has changed what, when and from where, and what it was and is. */
export function EntryCard({ entry }: { entry: Schemas["AuditEntry"] }) {
  const { o, format } = useOperatorTexts();
  const { before, after, at, address, operation } = entry;
  const act = actOf(before, after);
  const differences = act === "shown" ? [] : differencesOf(before, after);
  return (
    <article className="stack entry">
      <div className="heading">
        <p className="what">
          <Badge tone={tones[act]}>{o.audit.acts[act]}</Badge>
          <Thing of={entry.thing} />
        </p>
        <span className="faint">{format.moment(at)}</span>
      </div>
      <p className="faint">
        <Actor of={entry.actor} />
        {address && (
          <>
            {" · "}
            <Code>{address}</Code>
          </>
        )}
        {" · "}
        <Code>{operation}</Code>
      </p>
      {differences.length > 0 && (
        <details open={differences.length <= few}>
          <summary>{o.audit.values(format.number(differences.length))}</summary>
          <DifferenceTable differences={differences} />
        </details>
      )}
    </article>
  );
}

/** Where a thing is shown. What has no page of its own has no link. */
const pages: Partial<Record<Schemas["AuditEntry"]["thing"]["kind"], string>> = {
  account: "/accounts",
  plan: "/plans",
  line: "/lines",
  lineInbound: "/lines",
  carrier: "/carriers",
};

function Thing({ of: { kind, id, account, username } }: { of: Schemas["AuditEntry"]["thing"] }) {
  const o = useOperatorMessages();
  const page = pages[kind];
  const name = kind === "account" ? (username ?? id) : id;
  return (
    <>
      <b>{o.audit.kinds[kind]}</b>
      {id &&
        (page ? <a href={href(`${page}/${encodeURIComponent(id)}`)}>{name}</a> : <Code className="uid">{id}</Code>)}
      {kind !== "account" && account && (
        <span>
          {o.audit.of} <AccountLink id={account} name={username} />
        </span>
      )}
    </>
  );
}

/** Operators are known by the titles of their keys, and customers by their account. */
function Actor({ of: { account, key, username } }: { of: Schemas["AuditEntry"]["actor"] }) {
  const o = useOperatorMessages();
  const names = useQuery(operatorNamesQuery).data;
  if (account !== "operator") return <AccountLink id={account} name={username} />;
  return <a href={href("/audit", { key })}>{o.audit.operator(names?.get(key) ?? key)}</a>;
}

/** What was made had no values before, and what is gone has none after: then there is no column for them. */
function DifferenceTable({ differences }: { differences: Difference[] }) {
  const o = useOperatorMessages();
  const columns: Column<Difference>[] = [
    { title: o.audit.member, isTitle: true, cell: ({ path }) => <Code className="uid">{path}</Code> },
  ];
  if (differences.some(({ before }) => before !== undefined))
    columns.push({ title: o.audit.before, cell: ({ before }) => <Value of={before} className="old" /> });
  if (differences.some(({ after }) => after !== undefined))
    columns.push({ title: o.audit.after, cell: ({ after }) => <Value of={after} className="new" /> });
  return <Table caption={o.audit.differences} columns={columns} rows={differences} idOf={({ path }) => path} />;
}

function Value({ of, className }: { of: string | undefined; className: string }) {
  return of === undefined ? "–" : <bdi className={`value ${className}`}>{of}</bdi>;
}
