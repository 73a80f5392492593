import { useQuery } from "@tanstack/react-query";
import { useChange } from "../../api/change.ts";
import { client, dataOf } from "../../api/client.ts";
import { useMay } from "../../api/session-context.ts";
import type { Messages } from "../../base/messages.ts";
import type { Format } from "../../format/format.ts";
import { useTexts } from "../../format/texts.ts";
import { Button } from "../../parts/Button.tsx";
import { type Fact, Facts } from "../../parts/Facts.tsx";
import { ProblemText } from "../../parts/Failure.tsx";
import { type Campaign, type CampaignDetail, campaignQuery } from "../campaigns/queries.ts";
import { accountQuery } from "../overview/queries.ts";
import { AsItGoes } from "./AsItGoes.tsx";

type Props = { campaign: CampaignDetail };

/** Whom it would reach and what that would cost, before anybody gets anything. While it is counted, this grows. */
export function LastLook({ campaign }: Props) {
  const { t, format } = useTexts();
  const { state, counted, unit } = campaign;
  const balance = useBalance(campaign);
  const isCounting = state === "COUNTING";
  const facts: Fact[] = [
    [t.campaign.people, format.number(counted.people)],
    [t.campaign.parts, partsOf(t, format, counted)],
    [t.campaign.cost, format.money(counted.cost, unit)],
  ];
  if (balance !== null) facts.push([t.campaign.balance, format.money(balance, unit)]);
  if (balance !== null && balance >= counted.cost)
    facts.push([t.compose.left, format.money(balance - counted.cost, unit)]);
  return (
    <section className="card stack" aria-busy={isCounting}>
      <h2>{t.campaign.look}</h2>
      {isCounting && <p className="faint">{t.campaign.counting}</p>}
      <Facts facts={facts} />
      <TooLittle campaign={campaign} balance={balance} />
      <Operators campaign={campaign} />
      <LeftOut campaign={campaign} />
      <AsItGoes campaign={campaign} />
      {state === "DRAFT" && <Start campaign={campaign} />}
    </section>
  );
}

/** The parts of all texts, and those of one, which may differ by what is filled in. */
function partsOf(t: Messages, format: Format, { people, parts }: Campaign["counted"]): string {
  const all = format.number(parts);
  if (people === 0) return all;
  const each = parts / people;
  return Number.isInteger(each)
    ? t.campaign.partsOf(all, format.number(each))
    : t.campaign.partsAbout(all, format.decimal(each));
}

/** What the account has, if the campaign costs anything and the person may know it. */
function useBalance({ test }: Campaign): number | null {
  const { data: account } = useQuery({ ...accountQuery, enabled: useMay("account:read") && !test });
  return account && !test ? account.wallet.availableBalance : null;
}

/** Says that the balance or the budget does not pay for all of it. Nothing forbids to start it. */
function TooLittle({ campaign: { counted, budget, unit }, balance }: Props & { balance: number | null }) {
  const { t, format } = useTexts();
  const lack = balance === null ? 0 : counted.cost - balance;
  const over = budget === null ? 0 : counted.cost - budget;
  return (
    <>
      {lack > 0 && <p className="bad">{t.campaign.lacks(format.money(lack, unit))}</p>}
      {over > 0 && <p className="bad">{t.campaign.overBudget(format.money(over, unit))}</p>}
    </>
  );
}

function Operators({ campaign: { counted, unit } }: Props) {
  const { t, format } = useTexts();
  const names: Record<string, string> = t.operators;
  if (counted.operators.length === 0) return null;
  return (
    <ul className="legend">
      {counted.operators.map(({ operator, people, cost }) => (
        <li key={operator}>
          {names[operator] ?? operator} <b>{format.number(people)}</b> · {format.money(cost, unit)}
        </li>
      ))}
    </ul>
  );
}

/** Who is left out, by reason: a line with a number, and no fault. */
function LeftOut({ campaign }: Props) {
  const { t, format } = useTexts();
  const reasons: Record<string, string> = t.reasons;
  const skipped = Object.entries(campaign.counted.skipped);
  if (skipped.length === 0) return null;
  const isKnown = (reason: string): reason is keyof typeof t.campaign.skips => reason in t.campaign.skips;
  const lineOf = (reason: string, count: string) =>
    isKnown(reason) ? t.campaign.skips[reason](count) : t.campaign.skip(count, reasons[reason] ?? reason);
  return (
    <ul className="left-out">
      {skipped.map(([reason, count]) => (
        <li key={reason}>{lineOf(reason, format.number(count))}</li>
      ))}
    </ul>
  );
}

/** Starts it. Started again, it stays as it is. */
function Start({ campaign: { id, counted, sendAt, resendOf } }: Props) {
  const { t, format } = useTexts();
  const start = useChange({
    ask: () => dataOf(client.POST("/campaigns/{id}/start", { params: { path: { id } } })),
    stale: [["account"], ["campaigns"], ["messages"]],
    replaces: campaignQuery(id),
  });
  const maySend = useMay("sms:send");
  const people = format.number(counted.people);
  if (counted.people === 0) return <p>{t.campaign.nobody}</p>;
  if (!maySend) return null;
  return (
    <>
      <p className="hint">{resendOf ? t.campaign.mayChangeAgain : t.campaign.mayChange}</p>
      {start.error && <ProblemText error={start.error} />}
      <div className="actions">
        <Button isPending={start.isPending} onPress={() => start.mutate()}>
          {sendAt ? t.campaign.startLater(people) : t.campaign.start(people)}
        </Button>
      </div>
    </>
  );
}
