// What somebody has written of a campaign: of a new one, which stays in the tab until it is saved, or of a saved one.
import { useState } from "react";
import type { Schemas } from "../../api/client.ts";
import { useFormat } from "../../format/format.ts";
import { isErased } from "../../parts/erased.ts";
import { useKept } from "../../parts/kept.ts";
import type { ContentDraft } from "../compose/Content.tsx";
import type { When } from "../compose/draft.ts";
import { type Limits, limitsOf, noLimitsIn } from "./limits.ts";
import type { CampaignDetail } from "./queries.ts";

/** A condition that people must meet. */
export type Test = { id: string; attribute: string; operator: Operator; value: string };
export type Operator = Schemas["Condition"]["tests"][number]["operator"];
type Comparing = Schemas["ValueTest"]["operator"];
type Presence = Schemas["PresenceTest"]["operator"];

export type Draft = ContentDraft &
  When &
  Limits & {
    title: string;
    /** The phonebooks whose people get nothing. */
    except: string[];
    /** Numbers that get nothing. */
    exclude: string;
    match: "ALL" | "ANY";
    tests: Test[];
    /** Empty: the account's default line. */
    line: string;
  };

/** What the form of a campaign writes into. */
export type DraftState = { value: Draft; change: (part: Partial<Draft>) => void };

const newDraft: Omit<Draft, keyof Limits> = {
  title: "",
  kind: "phonebooks",
  phonebooks: [],
  except: [],
  exclude: "",
  match: "ALL",
  tests: [],
  pattern: "",
  values: {},
  text: "",
  line: "",
  isLater: false,
  day: "",
  time: "",
};

export const newTest = (): Test => ({ id: crypto.randomUUID(), attribute: "", operator: "EQUALS", value: "" });

/** `EXISTS` and `MISSING` compare with nothing. */
export const takesValue = (operator: Operator): operator is Comparing => !isPresence(operator);

const isPresence = (operator: Operator): operator is Presence => operator === "EXISTS" || operator === "MISSING";

export function useNewDraft() {
  const { digits } = useFormat();
  return useKept<Draft>("campaign", { ...newDraft, ...noLimitsIn(digits) });
}

/** A saved campaign as a draft. It does not stay over a reload: what is saved counts then. */
export function useDraftOf(campaign: CampaignDetail): DraftState {
  const { digits } = useFormat();
  const [value, setValue] = useState(() => draftOf(campaign, digits));
  return { value, change: (part) => setValue((before) => ({ ...before, ...part })) };
}

function draftOf(campaign: CampaignDetail, write: (text: string) => string): Draft {
  const { title, phonebooks, exclude, where, pattern, variables = {}, message } = campaign;
  return {
    ...newDraft,
    ...limitsOf(campaign, write),
    ...whenOf(campaign.sendAt),
    ...{ title, phonebooks, except: exclude.phonebooks },
    exclude: exclude.numbers.filter((number) => !isErased(number)).join("\n"),
    ...(where && { match: where.match, tests: where.tests.map(testOf) }),
    ...(pattern === null ? { text: message ?? "" } : { kind: "pattern", pattern, values: variables }),
    line: campaign.sourceNumber ?? "",
  };
}

const testOf = ({ attribute, operator, value }: Schemas["Condition"]["tests"][number]): Test => ({
  ...newTest(),
  ...{ attribute, operator, value: value ?? "" },
});

/** A moment as a day and a time of the person's own time zone. */
export function whenOf(sendAt: string | null): When {
  if (sendAt === null) return { isLater: false, day: "", time: "" };
  const at = new Date(sendAt);
  const [hours, minutes] = [at.getHours(), at.getMinutes()].map((part) => String(part).padStart(2, "0"));
  return { isLater: true, day: at.toLocaleDateString("sv"), time: `${hours}:${minutes}` };
}
