import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { dataQuery } from "../../../api/queries.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { Heading } from "../../../parts/Heading.tsx";
import { Loaded } from "../../../parts/Loaded.tsx";
import { NeedsScope } from "../../../parts/NeedsScope.tsx";
import { lastDays } from "../../overview/usage.ts";
import { CarrierRates } from "./CarrierRates.tsx";
import { ServiceTiles } from "./ServiceTiles.tsx";
import { Sizes } from "./Sizes.tsx";
import { TrafficChart } from "./TrafficChart.tsx";
import { daysOf } from "./traffic.ts";
import { Warnings } from "./Warnings.tsx";

/** How the whole service does: what needs a look first, then what was sent and how it arrived. */
export default function ServiceOverview() {
  const o = useOperatorMessages();
  return (
    <>
      <Heading title={o.pages.overview} />
      <NeedsScope scope="admin:read">
        <Service />
      </NeedsScope>
    </>
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
