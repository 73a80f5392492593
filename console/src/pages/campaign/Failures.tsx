import type { Schemas } from "../../api/client.ts";
import { href } from "../../base/router.ts";
import { useTexts } from "../../format/texts.ts";
import { type Column, numbers, Table } from "../../parts/Table.tsx";
import type { Campaign } from "../campaigns/queries.ts";
import { Resend } from "./Resend.tsx";

type Failure = NonNullable<Campaign["progress"]["failures"]>[number];
type Reason = Schemas["DeliveryError"];

const sumOf = (failures: Failure[]) => failures.reduce((sum, { count }) => sum + count, 0);

/** The most frequent reason stands first. */
function reasonsOf(failures: Failure[]): { reason: Reason; of: Failure[] }[] {
  const reasons = [...new Set(failures.map(({ error }) => error))];
  const all = reasons.map((reason) => ({ reason, of: failures.filter(({ error }) => error === reason) }));
  return all.toSorted((one, other) => sumOf(other.of) - sumOf(one.of));
}

/** Why people did not get it, by mobile operator, and the way to try again. */
export function Failures({ campaign }: { campaign: Campaign }) {
  const { t, format } = useTexts();
  const { failures = [] } = campaign.progress;
  if (failures.length === 0) return null;
  const names: Record<string, string> = t.operators;
  const operators = [...new Set(failures.map(({ operator }) => operator))].toSorted();
  const columns: Column<ReturnType<typeof reasonsOf>[number]>[] = [
    {
      title: t.message.reason,
      isWide: true,
      isTitle: true,
      isText: true,
      cell: ({ reason }) => <a href={href(`/campaigns/${campaign.id}`, { error: reason })}>{t.reasons[reason]}</a>,
    },
    numbers(t.campaign.people, ({ of }) => <b>{format.number(sumOf(of))}</b>),
    ...operators.map((name) =>
      numbers<ReturnType<typeof reasonsOf>[number]>(names[name] ?? name, ({ of }) =>
        format.number(sumOf(of.filter(({ operator }) => operator === name))),
      ),
    ),
  ];
  return (
    <section className="card stack">
      <h2>{t.campaign.failures}</h2>
      <Table caption={t.campaign.failures} columns={columns} rows={reasonsOf(failures)} idOf={({ reason }) => reason} />
      <Resend campaign={campaign} />
    </section>
  );
}
