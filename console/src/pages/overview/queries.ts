// What the first view asks for, and other pages too. It stands apart from the others, so that the first view loads none of these.
import { dataQuery } from "../../api/queries.ts";

export const accountQuery = dataQuery(["account"], "/account/info");

export const passkeysQuery = dataQuery(["passkeys"], "/console/passkeys");

/** What was sent on these days, the first one the earliest. */
export const usageQuery = (dates: string[]) =>
  dataQuery(["account", "usage"], "/account/usage", { query: { from: dates[0] ?? "", to: dates.at(-1) ?? "" } });
