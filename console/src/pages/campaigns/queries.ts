import type { Schemas } from "../../api/client.ts";
import { dataQuery } from "../../api/queries.ts";

export type Campaign = Schemas["Campaign"];
export type CampaignDetail = Schemas["CampaignDetail"];

/** How often a campaign is looked at while it is counted, while it moves, and while it waits for its time, ms. */
const waits = { counting: 1_000, moving: 3_000, scheduled: 30_000 };

/** When a campaign is looked at again. One that stands still may have waves that are still under way. */
function again(campaign: Campaign | undefined): number | false {
  if (campaign?.state === "COUNTING") return waits.counting;
  if (campaign?.state === "SCHEDULED") return waits.scheduled;
  const moves = campaign && (campaign.state === "RUNNING" || campaign.progress.open > 0);
  return moves ? waits.moving : false;
}

export const campaignQuery = (id: string) =>
  dataQuery(
    ["campaigns", "one"],
    "/campaigns/{id}",
    { path: { id } },
    { refetchInterval: ({ state }) => again(state.data) },
  );
