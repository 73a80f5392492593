import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Schemas } from "../../../api/client.ts";
import { dataQuery } from "../../../api/queries.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { href } from "../../../base/router.ts";
import { useOperatorTexts } from "../../../format/operator-texts.ts";
import { useSpans } from "../../../format/spans.ts";
import { Badge, type Tone } from "../../../parts/Badge.tsx";
import { Loaded } from "../../../parts/Loaded.tsx";
import { Page } from "../../../parts/Page.tsx";
import { Tiles } from "../../../parts/Tiles.tsx";
import { lastDays } from "../../overview/usage.ts";
import { CarrierRates } from "./CarrierRates.tsx";
import { Sizes } from "./Sizes.tsx";
import { TrafficChart } from "./TrafficChart.tsx";
import { daysOf, rateOf, type Traffic, together } from "./traffic.ts";
import { useWarnings, type Warning } from "./warnings.ts";

/** How the whole service does: what needs a look first, then what was sent and how it arrived. */
export default function ServiceOverview() {
  const o = useOperatorMessages();
  return (
    <Page title={o.pages.overview} scope="admin:read">
      <Service />
    </Page>
  );
}

const usageQuery = (by: "day" | "carrier", from: string, to: string) =>
  dataQuery(
    ["usage", "overview"],
    "/admin/usage",
    { query: { by, from, to, limit: 200 } },
    { refetchInterval: 60_000 },
  );

function Service() {
  const [dates] = useState(() => lastDays(Date.now()));
  const [from = "", to = ""] = [dates[0], dates.at(-1)];
  const health = useQuery(dataQuery(["health"], "/admin/health", {}, { refetchInterval: 10_000 }));
  const byDay = useQuery(usageQuery("day", from, to));
  const byCarrier = useQuery(usageQuery("carrier", from, to));
  return (
    <Loaded query={health}>
      {(health) => (
        <>
          <Warnings health={health} />
          <Loaded query={byDay}>
            {(sums) => (
              <>
                <ServiceTiles health={health} days={daysOf(sums, dates)} />
                <div className="pair-cards">
                  <TrafficChart days={daysOf(sums, dates)} />
                  <Sizes health={health} />
                </div>
              </>
            )}
          </Loaded>
          <Loaded query={byCarrier}>{(sums) => <CarrierRates sums={sums} health={health} />}</Loaded>
        </>
      )}
    </Loaded>
  );
}

const tones: Record<Schemas["ServiceHealth"]["status"], Tone> = { UP: "good", DEGRADED: "warn", DOWN: "bad" };

function ServiceTiles({ health, days }: { health: Schemas["ServiceHealth"]; days: Traffic[] }) {
  const { o, format } = useOperatorTexts();
  const { span } = useSpans();
  const month = together(days);
  const rate = rateOf(month);
  const { waiting } = health;
  const tiles = [
    {
      title: o.service.status,
      value: <Badge tone={tones[health.status]}>{o.serviceStatuses[health.status]}</Badge>,
      note: o.service.version(`\u2066${health.version}\u2069`),
    },
    {
      title: o.service.today,
      value: format.number(days.at(-1)?.sent ?? 0),
      note: o.service.inMonth(format.number(month.sent)),
    },
    {
      title: o.service.rate,
      value: rate === null ? "–" : format.percent(rate),
      note: o.service.rateOf(format.number(month.delivered + month.failed)),
    },
    {
      title: o.service.waiting,
      value: waiting ? format.number(waiting.recipients) : "–",
      note:
        waiting && waiting.oldestSeconds !== null
          ? o.carriers.oldest(span(waiting.oldestSeconds))
          : o.carrier.noneWaits,
    },
  ];
  return <Tiles tiles={tiles} />;
}

/** What needs a look, each with the way to it. Without any, it says so, but not before all has answered. */
function Warnings({ health }: { health: Schemas["ServiceHealth"] }) {
  const o = useOperatorMessages();
  const { warnings, isWhole } = useWarnings(health);
  if (warnings.length === 0)
    return (
      <p className={isWhole ? "card all-well" : "card faint"}>{isWhole ? o.service.allWell : o.service.looking}</p>
    );
  return (
    <section className="card warnings">
      <h2>{o.service.warnings}</h2>
      <ul>
        {warnings.map((warning) => (
          <li key={warning.text}>
            <Line warning={warning} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Line({ warning: { text, path, query, isUrgent } }: { warning: Warning }) {
  const o = useOperatorMessages();
  const urgent = isUrgent && <Badge tone="bad">{o.urgent}</Badge>;
  if (path === null)
    return (
      <>
        {urgent} {text}
      </>
    );
  return (
    <>
      {urgent} {text}{" "}
      <a href={href(path, query)} aria-label={`${o.service.look}: ${text}`}>
        {o.service.look}
      </a>
    </>
  );
}
