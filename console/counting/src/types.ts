/** The terms of a send. */
export interface Terms {
  /** The member `tariff` of `GET /plan/tariff`. */
  tariff: { price: number; prices: { prefix: string; price: number }[] };
  /** The line's member of `textsCoefficients` of `GET /plan/tariff`. */
  coefficients: Coefficients;
  operation: "WEBSERVICE" | "PATTERN";
  /** What the numbers begin with that the account sends to. Left out: Iran's. */
  destinations?: string[];
  /** How many parts a text may have. Left out: 10, as the service has it unless its operator changes it. */
  maxParts?: number;
  /** The line's member `cheapest` of `GET /lines`. Left out: the line allows it. */
  cheapest?: boolean;
  /** The line's member `suffix` of `GET /lines`. Left out: it appends nothing. */
  suffix?: string | null;
}

export interface Coefficients {
  PERSIAN: number;
  ENGLISH: number;
  MCI: number;
  MTN: number;
  WEBSERVICE: number;
  PATTERN: number;
}

export type Operator = "MCI" | "MTN" | "OTHER";

/** A number as someone has written it: what it means, or why it gets nothing. `number` is in E.164 form. */
export type Recipient =
  | { number: string; operator: Operator; repeated: boolean }
  | { number: string; fault: "NOT_A_DESTINATION" | "NO_PRICE" }
  | { fault: "NOT_A_NUMBER" };

export type Encoding = "GSM7" | "UCS2";

export type Change = "MARKS" | "COMPOSED" | "LETTERS" | "BLANKS" | "LOOK_ALIKES" | "DIGITS" | "NO_BREAK_SPACE";

/** What a text takes and costs. Amounts are whole numbers in the minor unit, of all good recipients, each counted once. */
export interface Count {
  encoding: Encoding;
  parts: number;
  /** The length of the text: septets of GSM-7, or UTF-16 units. */
  units: number;
  /** How many units fit into the last part. */
  unitsLeft: number;
  /** Whether the service refuses the text because it has too many parts. */
  tooLong: boolean;
  recipients: number;
  cost: number;
  /** The operators that have recipients. */
  operators: { operator: Operator; recipients: number; cost: number }[];
  /** What the line appends to the text, unless the text has it. `null`: nothing, because the text goes to one, or is a pattern's. */
  suffix: string | null;
  /** Texts that read the same and cost less, the cheapest first. */
  alternatives: { text: string; encoding: Encoding; parts: number; cost: number; changes: Change[] }[];
}
