// A campaign that somebody is about to make. It stays in the tab until it is saved, also over a reload.
import type { Schemas } from "../../api/client.ts";
import { useKept } from "../../parts/kept.ts";
import type { ContentDraft } from "../compose/Content.tsx";
import type { When } from "../compose/draft.ts";

/** A condition that people must meet. */
export type Test = { id: string; attribute: string; operator: Operator; value: string };
export type Operator = Schemas["Condition"]["tests"][number]["operator"];
type Comparing = Schemas["ValueTest"]["operator"];
type Presence = Schemas["PresenceTest"]["operator"];

export type Draft = ContentDraft &
  When & {
    title: string;
    /** The phonebooks whose people get nothing. */
    except: string[];
    /** Numbers that get nothing. */
    exclude: string;
    match: "ALL" | "ANY";
    tests: Test[];
    /** Empty: the account's default line. */
    line: string;
    hasWindow: boolean;
    /** Times such as `09:00`, in the person's time zone. */
    from: string;
    to: string;
    /** As it was typed. Empty: no bound. */
    perMinute: string;
    budget: string;
  };

const newDraft: Draft = {
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
  hasWindow: false,
  from: "09:00",
  to: "21:00",
  perMinute: "",
  budget: "",
};

export const newTest = (): Test => ({ id: crypto.randomUUID(), attribute: "", operator: "EQUALS", value: "" });

/** `EXISTS` and `MISSING` compare with nothing. */
export const takesValue = (operator: Operator): operator is Comparing => !isPresence(operator);

const isPresence = (operator: Operator): operator is Presence => operator === "EXISTS" || operator === "MISSING";

export const useDraft = () => useKept("campaign", newDraft);
