import { href } from "../../base/router.ts";
import { useTexts } from "../../format/texts.ts";
import { isSimulated, type Tone, toneFor } from "../../parts/Badge.tsx";
import { type Fact, Facts } from "../../parts/Facts.tsx";
import { canceledOf, costOf, sentOf, waitingOf } from "../campaigns/numbers.ts";
import type { Campaign } from "../campaigns/queries.ts";

type Share = "delivered" | "failed" | "canceled" | "ended" | "underWay" | "queued" | "waiting" | "never";

const tones: Record<Share, Tone> = {
  delivered: "good",
  failed: "bad",
  canceled: "calm",
  ended: "calm",
  underWay: "busy",
  queued: "warn",
  waiting: "calm",
  never: "calm",
};

/** How many people are where. What has ended stands first in the bar. */
function sharesOf(campaign: Campaign): { share: Share; count: number }[] {
  const { recipients, queued, open, delivered, failed } = campaign.progress;
  const canceled = canceledOf(campaign);
  const waiting = waitingOf(campaign);
  const isOver = campaign.state === "CANCELED";
  const counts: Record<Share, number> = {
    delivered,
    failed,
    canceled,
    ended: recipients - open - delivered - failed - canceled,
    underWay: open - queued,
    queued,
    waiting: isOver ? 0 : waiting,
    never: isOver ? waiting : 0,
  };
  return (Object.keys(counts) as Share[]).flatMap((share) =>
    counts[share] > 0 ? [{ share, count: counts[share] }] : [],
  );
}

/** What a campaign has come to, as a bar that moves while it goes out. */
export function Progress({ campaign }: { campaign: Campaign }) {
  const { t, format } = useTexts();
  const { id, progress, unit, nextAt } = campaign;
  const { sent, all } = sentOf(campaign);
  const shares = sharesOf(campaign);
  const isTrial = isSimulated(campaign);
  const toneOf = (share: Share) => toneFor(tones[share], isTrial);
  const nameOf = (share: Share) => {
    const name = t.campaign.shares[share];
    return share === "delivered" && isTrial ? t.messages.simulatedAs(name) : name;
  };
  const facts: Fact[] = [
    [t.campaign.optOuts, format.number(progress.optOuts)],
    [t.campaign.net, format.money(costOf(campaign), unit)],
    [t.campaign.waves, format.number(progress.waves)],
  ];
  if (progress.returned > 0) facts.push([t.campaign.returned, format.money(progress.returned, unit)]);
  if (nextAt) facts.push([t.campaign.next, format.moment(nextAt)]);
  return (
    <section className="card stack">
      <div className="heading">
        <h2>{t.campaign.progress}</h2>
        <span className="faint" role="status">
          {t.campaign.sent(format.number(sent), format.number(all))}
        </span>
      </div>
      <div className="bar" aria-hidden="true">
        {shares.map(({ share, count }) => (
          <span key={share} className={toneOf(share)} style={{ flexGrow: count }} />
        ))}
      </div>
      <ul className="legend">
        {shares.map(({ share, count }) => (
          <li key={share}>
            <span className={`swatch ${toneOf(share)}`} />
            {nameOf(share)} <b>{format.number(count)}</b>
          </li>
        ))}
      </ul>
      <Facts facts={facts} />
      {progress.skipped > 0 && (
        <p>
          <a href={href(`/campaigns/${id}`, { status: "SKIPPED" })}>
            {t.campaign.toLeftOut(format.number(progress.skipped))}
          </a>
        </p>
      )}
    </section>
  );
}
