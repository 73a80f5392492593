import { useChange } from "../../api/change.ts";
import { client, dataOf } from "../../api/client.ts";
import { useMay } from "../../api/session-context.ts";
import { useTexts } from "../../format/texts.ts";
import { Button } from "../../parts/Button.tsx";
import { Facts } from "../../parts/Facts.tsx";
import { ProblemText } from "../../parts/Failure.tsx";
import { type Campaign, campaignQuery } from "../campaigns/queries.ts";

type Props = { campaign: Campaign };

/** Whom it would reach and what that would cost, before anybody gets anything. While it is counted, this grows. */
export function LastLook({ campaign }: Props) {
  const { t, format } = useTexts();
  const { state, counted, unit } = campaign;
  const isCounting = state === "COUNTING";
  return (
    <section className="card stack" aria-busy={isCounting}>
      <h2>{t.campaign.look}</h2>
      {isCounting && <p className="faint">{t.campaign.counting}</p>}
      <Facts
        facts={[
          [t.campaign.people, format.number(counted.people)],
          [t.campaign.parts, format.number(counted.parts)],
          [t.campaign.cost, format.money(counted.cost, unit)],
        ]}
      />
      <Operators campaign={campaign} />
      <LeftOut campaign={campaign} />
      {state === "DRAFT" && <Start campaign={campaign} />}
    </section>
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
