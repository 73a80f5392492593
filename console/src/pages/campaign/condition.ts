import type { Schemas } from "../../api/client.ts";
import type { Messages } from "../../base/messages.ts";

/** The condition that people meet, in words. */
export function conditionOf(t: Messages, { match, tests }: Schemas["Condition"]): string {
  const words = tests.map(({ attribute, operator, value }) => {
    const said = `\u2068${attribute}\u2069 ${t.newCampaign.operators[operator]}`;
    return value === null ? said : `${said} \u2068${value}\u2069`;
  });
  return words.join(match === "ALL" ? t.campaign.allOf : t.campaign.anyOf);
}
