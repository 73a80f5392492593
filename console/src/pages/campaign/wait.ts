import { useTexts } from "../../format/texts.ts";
import { hoursOf, isIn, useLine } from "../campaigns/line.ts";
import type { CampaignDetail } from "../campaigns/queries.ts";

/** Until when a campaign waits that was started, and why. Nothing for one that does not wait, or only for its pace. */
export function useWait({ state, nextAt, sendAt, window, message, sourceNumber }: CampaignDetail): string | null {
  const { t, format } = useTexts();
  const line = useLine(sourceNumber);
  const goes = state === "RUNNING" || state === "SCHEDULED";
  if (!goes || nextAt === null || Date.parse(nextAt) <= Date.now()) return null;
  // What is for later is held up by hours only if they are closed when its time comes.
  const at = state === "SCHEDULED" && sendAt ? new Date(sendAt) : new Date();
  const moment = format.moment(nextAt);
  if (window && !isIn(window, at)) return t.campaign.waits.window(moment, hoursOf(t, format, window));
  const others = message === null ? null : line?.hours;
  if (others && !isIn(others, at)) return t.campaign.waits.line(moment, hoursOf(t, format, others));
  return state === "SCHEDULED" ? t.campaign.waits.time(moment) : null;
}
