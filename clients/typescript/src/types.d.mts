// Made by `npm run clients` from openapi.json.

/** A key that checks proofs, as a JWK (RFC 8037). */
export interface ProofKey {
  alg: "EdDSA";
  crv: "Ed25519";
  /** The name of the key, which the headers of its proofs have: its thumbprint (RFC 7638). */
  kid: string;
  kty: "OKP";
  use: "sig";
  /** The 32 bytes of the key, in base64url. */
  x: string;
}

/** The keys that check proofs, as a JWK Set (RFC 7517). */
export interface ProofKeys {
  /** The key of new proofs comes first. While the operator changes `SECRET_KEY`, the key before it follows. */
  keys: ProofKey[];
}

/** Whether the account may send. */
export type AccountStatus = "ACTIVE" | "INACTIVE";

/** The money of an account. */
export interface Balance {
  /** What can be spent. */
  availableBalance: number;
  /** What is reserved for messages. */
  lockedBalance: number;
  /** Both together. */
  totalBalance: number;
  /** The currency of the amounts. */
  unit: string;
}

/** The account of the key. */
export interface AccountInfo {
  accountInfo: { fullName: string; id: string; plan: { title: string }; status: AccountStatus; timeZone: string; username: string };
  wallet: Balance;
}

/** What an account decides for itself. What is left out stays. */
export interface AccountSettingsInput {
  /** The time zone of the account's days, by its name in the IANA database. */
  timeZone?: string | null;
}

/** What an account decides for itself. */
export interface AccountSettings {
  /** The time zone of the account's days. */
  timeZone: string;
}

/** The account's threshold for `wallet.low`. */
export interface LowBalance {
  /** The balance below which endpoints get `wallet.low` that have no `lowBalance` of their own. */
  lowBalance: number | null;
  /** The currency of the amounts. */
  unit: string;
}

/** A threshold for `wallet.low`. */
export interface LowBalanceInput {
  /** The new threshold. `null`: none. */
  lowBalance: number | null;
}

/** How the newest messages have ended. */
export interface Outcomes {
  /** Whether there are older ones since `from` that were not looked at. */
  hasMore: boolean;
  /** By the operator whose prefix the number has. */
  operators: { delivered: number; failed: number; operator: string; others: number }[];
  /** Why recipients have not got their message, the commonest reason first. */
  reasons: { reason: string; recipients: number }[];
  /** How many recipients were looked at, the newest first. */
  recipients: number;
}

/** An entry of the ledger. */
export interface Transaction {
  amount: number;
  /** The balance after it. */
  availableBalance: number;
  createdAt: string;
  /** Its number in the ledger. */
  id: number;
  /** The balance after it. */
  lockedBalance: number;
  /** The message's uid. `null` if there is none, or if it is gone. */
  message: string | null;
  /** What an operator has written. */
  note: string | null;
  /**
   * `CREDIT`: an operator has added money, or taken it out. `RESERVE`, `SETTLE`, `RELEASE` and `REFUND`: money of a
   * message was reserved, spent, released or given back.
   */
  type: "CREDIT" | "RESERVE" | "SETTLE" | "RELEASE" | "REFUND";
  /** The currency of the amounts. */
  unit: string;
}

/** What has not left yet. */
export interface Unsent {
  /** Whether there are more than were counted. */
  hasMore: boolean;
  /** Whether an operator holds back all that the account sends. */
  hold: boolean;
  /**
   * The lines on which recipients have waited for ten seconds or longer and could have left: the line's carriers are
   * down, or take less than is sent.
   */
  lines: { line: string; oldestSeconds: number; recipients: number }[];
  /** Why the account is on hold, may not send or is not active, in an operator's words. */
  reason: string | null;
  /** All recipients that have not left. */
  recipients: number;
  /** Those of them whose `sendAt` has not come. */
  scheduled: number;
  /** Those of them that carriers have at the moment: most of them can't be called back. */
  withCarriers: number;
}

/** What an account has sent on a day of UTC. */
export interface UsageDay {
  date: string;
  /** Who has sent that: together they come to the same. */
  keys: { by: "KEY" | "CONSOLE" | "OTHER"; key: string | null; live: { cost: number; messages: number; parts: number; recipients: number; returned: number }; test: { cost: number; messages: number; parts: number; recipients: number; returned: number }; title: string | null }[];
  /** What live keys have sent. */
  live: { cost: number; messages: number; parts: number; pending: number; recipients: number; returned: number; statuses: { CANCELED: number; DELIVERED: number; EXPIRED: number; REJECTED: number; UNDELIVERED: number; UNKNOWN: number } };
  /**
   * How many of the live recipients that are `DELIVERED` the sandbox took in place of a carrier that sends: they
   * reached nobody.
   */
  simulated: number;
  /** What test keys have sent. It costs nothing. */
  test: { cost: number; messages: number; parts: number; pending: number; recipients: number; returned: number; statuses: { CANCELED: number; DELIVERED: number; EXPIRED: number; REJECTED: number; UNDELIVERED: number; UNKNOWN: number } };
  /** The currency of the amounts. */
  unit: string;
}

/** A number on the blacklist. */
export interface BlockedNumber {
  createdAt: string;
  number: string;
  /** Whether the owner of the number has put it there, by a reply. */
  optOut: boolean;
}

/** Up to 1,000 numbers. */
export interface NumberList {
  numbers: string[];
}

/** What has become of the numbers. */
export interface AddedNumbers {
  added: number;
  /** How many numbers were so already. */
  unchanged: number;
}

/** What has become of the numbers. */
export interface RemovedNumbers {
  removed: number;
  /** How many numbers were so already. */
  unchanged: number;
}

/** What stops a campaign that goes wrong. */
export interface CampaignGuard {
  after: number;
  failedShare: number | null;
  optOutShare: number | null;
}

/** Why a recipient did not get the message. The names are stable; new ones may be added. */
export type DeliveryError = "ABSENT_SUBSCRIBER" | "UNKNOWN_SUBSCRIBER" | "BLOCKED" | "CONTENT_REFUSED" | "SENDER_REFUSED" | "EXPIRED" | "NO_REPORT" | "BLACKLISTED" | "NOT_A_DESTINATION" | "TEXT_NOT_SENDABLE" | "RECIPIENT_LIMIT" | "CARRIER_ERROR";

/** Why a campaign is where it is, if that was not its sender. The names are stable; new ones may be added. */
export type CampaignReason = "LOW_BALANCE" | "NO_LINE" | "SENDING_OFF" | "NO_PHONEBOOK" | "NOT_SENDABLE" | "BY_OPERATOR" | "BUDGET" | "DAILY_LIMIT" | "RESTORED" | "FAILED_SHARE" | "OPT_OUT_SHARE";

/**
 * How far a campaign has come. `COUNTING` and `DRAFT`: nobody gets anything before it is started. `PAUSED`: until its
 * sender resumes it. `STOPPED`: one of its bounds has stopped it, and its sender may resume it.
 */
export type CampaignState = "COUNTING" | "DRAFT" | "SCHEDULED" | "RUNNING" | "PAUSED" | "STOPPED" | "DONE" | "CANCELED";

/** Hours of the day in a time zone. */
export interface Hours {
  from: string;
  timeZone: string;
  to: string;
}

/** A campaign. */
export interface Campaign {
  /** What all of it may cost. */
  budget: number | null;
  /** What it would come to, if it were started as it was when it was counted. While it is `COUNTING`, this grows. */
  counted: { cost: number; operators: { cost: number; operator: string; people: number }[]; parts: number; people: number; skipped: Record<string, number> };
  createdAt: string;
  endedAt: string | null;
  /** What stops it when it goes wrong. `null`: nothing does. */
  guard: CampaignGuard | null;
  id: string;
  /** When its next wave is due at the earliest, if it runs or waits for its time. */
  nextAt: string | null;
  /** How many people it may reach in a minute. */
  perMinute: number | null;
  /** What it has come to so far. */
  progress: { canceled: number; cost: number; delivered: number; failed: number; failures?: { count: number; error: DeliveryError; operator: string }[]; open: number; optOuts: number; queued: number; recipients: number; returned: number; skipped: number; waves: number };
  /** Why it is paused, stopped or canceled, or could not be counted, if that was not its sender. */
  reason: CampaignReason | null;
  /** The id of the campaign that it is the resend of. */
  resendOf: string | null;
  /** The id of its resend, as long as that is there. */
  resentAs: string | null;
  /** When it begins. `null`: when it is started. */
  sendAt: string | null;
  /** There if the sandbox has taken some of it in place of a carrier that sends: that reached nobody. */
  simulated?: true;
  /** The line that it is sent from. `null`: the account's default line. */
  sourceNumber: string | null;
  startedAt: string | null;
  state: CampaignState;
  /** Whether a test key has made it. Then nobody gets anything. */
  test: boolean;
  title: string;
  /** The currency of the amounts. */
  unit: string;
  /** The hours in which waves go out. `null`: all hours. */
  window: Hours | null;
}

export interface FailedGuard {
  /** How many people must have their ending before the guard judges. Left out: `100`. */
  after?: number | null;
  /** Percent. */
  failedShare: number;
  /** How many of a hundred people that it goes to may opt out by a reply. */
  optOutShare?: number | null;
}

export interface OptOutGuard {
  /** How many people must have their ending before the guard judges. Left out: `100`. */
  after?: number | null;
  /** How many of a hundred people whose ending is known may have failed to get it. */
  failedShare?: number | null;
  /** Percent. */
  optOutShare: number;
}

/** What stops a campaign that goes wrong: one share, or both. */
export type GuardInput = FailedGuard | OptOutGuard;

/** A test of a value. */
export interface ValueTest {
  /** `name`, or the name of an attribute. */
  attribute: string;
  /**
   * How the values are compared. `LESS` and `GREATER` compare numbers as numbers and all else as texts, such as dates
   * that begin with the year. Digits and letters are compared however they are written.
   */
  operator: "EQUALS" | "NOT_EQUALS" | "LESS" | "GREATER" | "CONTAINS";
  /** What the number's value is compared with. */
  value: string;
}

/** A test whether there is a value. */
export interface PresenceTest {
  /** `name`, or the name of an attribute. */
  attribute: string;
  operator: "EXISTS" | "MISSING";
}

/** A test of what a phonebook has for a number. */
export type TestInput = ValueTest | PresenceTest;

/** A campaign of a text, filled in for each number. */
export interface TextCampaign {
  /** What all of it may cost. What comes back of it makes room again. Left out: as much as it costs. */
  budget?: number | null;
  /** Who is left out, whoever else names them. */
  exclude?: { numbers?: string[] | null; phonebooks?: string[] | null } | null;
  guard?: GuardInput | null;
  /**
   * The text. `%name%`, and `%…%` with the name of an attribute, stand for what the phonebook has for the number. At
   * most 21 different placeholders.
   */
  message: string;
  pattern?: null;
  /** How many people it may reach in a minute. Left out: as many as can be. */
  perMinute?: number | null;
  /** The ids of the phonebooks whose members it goes to. A number that stands in several counts once. */
  phonebooks: string[];
  /** When it begins once it is started, at most 90 days ahead. Left out: at once. */
  sendAt?: string | Date | null;
  /** The line to send from. Left out or empty: the account's default line. */
  sourceNumber?: string | null;
  /** The title, for you. */
  title: string;
  /**
   * What to do if the text has a `%…%` that no phonebook has: `REFUSE` the send, which is so if it is left out, or
   * `KEEP` it as text.
   */
  unknownPlaceholders?: string | null;
  /** Which of the members it goes to. Left out: all. The key needs the scope `phonebook` for it. */
  where?: { match?: "ALL" | "ANY" | null; tests: TestInput[] } | null;
  /** The hours in which waves go out. What does not fit goes on the next day. Left out: all hours. */
  window?: { from: string; timeZone: string; to: string } | null;
}

/** A campaign of a pattern, filled in once. */
export interface PatternCampaign {
  /** What all of it may cost. What comes back of it makes room again. Left out: as much as it costs. */
  budget?: number | null;
  /** Who is left out, whoever else names them. */
  exclude?: { numbers?: string[] | null; phonebooks?: string[] | null } | null;
  guard?: GuardInput | null;
  message?: null;
  /** The slug of the pattern. */
  pattern: string;
  /** How many people it may reach in a minute. Left out: as many as can be. */
  perMinute?: number | null;
  /** The ids of the phonebooks whose members it goes to. A number that stands in several counts once. */
  phonebooks: string[];
  /** When it begins once it is started, at most 90 days ahead. Left out: at once. */
  sendAt?: string | Date | null;
  /** The line to send from. Left out or empty: the account's default line. */
  sourceNumber?: string | null;
  /** The title, for you. */
  title: string;
  /** The values of the pattern's variables, by their names. */
  variables?: Record<string, string | number | null> | null;
  /** Which of the members it goes to. Left out: all. The key needs the scope `phonebook` for it. */
  where?: { match?: "ALL" | "ANY" | null; tests: TestInput[] } | null;
  /** The hours in which waves go out. What does not fit goes on the next day. Left out: all hours. */
  window?: { from: string; timeZone: string; to: string } | null;
}

/** A campaign to make. */
export type CampaignInput = TextCampaign | PatternCampaign;

/** Which members of phonebooks a campaign goes to. */
export interface Condition {
  /** Whether `ALL` of the tests must hold, or `ANY` of them. */
  match: "ALL" | "ANY";
  tests: { attribute: string; operator: "EQUALS" | "NOT_EQUALS" | "LESS" | "GREATER" | "CONTAINS" | "EXISTS" | "MISSING"; value: string | null }[];
}

/** A campaign with what it sends to whom. */
export interface CampaignDetail {
  /** What all of it may cost. */
  budget: number | null;
  /** What it would come to, if it were started as it was when it was counted. While it is `COUNTING`, this grows. */
  counted: { cost: number; operators: { cost: number; operator: string; people: number }[]; parts: number; people: number; skipped: Record<string, number> };
  createdAt: string;
  endedAt: string | null;
  /** Who is left out. */
  exclude: { numbers: string[]; phonebooks: string[] };
  /** What stops it when it goes wrong. `null`: nothing does. */
  guard: CampaignGuard | null;
  id: string;
  /** The text. `null` if it sends a pattern. */
  message: string | null;
  /** When its next wave is due at the earliest, if it runs or waits for its time. */
  nextAt: string | null;
  /** The slug of the pattern. `null` if it sends a text. */
  pattern: string | null;
  /** How many people it may reach in a minute. */
  perMinute: number | null;
  /** The ids of the phonebooks whose members it goes to. */
  phonebooks: string[];
  /** What it has come to so far. */
  progress: { canceled: number; cost: number; delivered: number; failed: number; failures?: { count: number; error: DeliveryError; operator: string }[]; open: number; optOuts: number; queued: number; recipients: number; returned: number; skipped: number; waves: number };
  /** Why it is paused, stopped or canceled, or could not be counted, if that was not its sender. */
  reason: CampaignReason | null;
  /** The id of the campaign that it is the resend of. */
  resendOf: string | null;
  /** The id of its resend, as long as that is there. */
  resentAs: string | null;
  /** When it begins. `null`: when it is started. */
  sendAt: string | null;
  /** There if the sandbox has taken some of it in place of a carrier that sends: that reached nobody. */
  simulated?: true;
  /** The line that it is sent from. `null`: the account's default line. */
  sourceNumber: string | null;
  startedAt: string | null;
  state: CampaignState;
  /** Whether a test key has made it. Then nobody gets anything. */
  test: boolean;
  title: string;
  /** The currency of the amounts. */
  unit: string;
  /** The values of the pattern's variables. */
  variables?: Record<string, string>;
  /** Which of the members it goes to. `null`: all. */
  where: Condition | null;
  /** The hours in which waves go out. `null`: all hours. */
  window: Hours | null;
}

/** A change of a campaign that sends a text from then on. */
export interface TextCampaignChange {
  /** What all of it may cost. What comes back of it makes room again. Left out: as much as it costs. */
  budget?: number | null;
  /** Who is left out, whoever else names them. */
  exclude?: { numbers?: string[] | null; phonebooks?: string[] | null } | null;
  guard?: GuardInput | null;
  /**
   * The text. `%name%`, and `%…%` with the name of an attribute, stand for what the phonebook has for the number. At
   * most 21 different placeholders.
   */
  message?: string;
  pattern?: null;
  /** How many people it may reach in a minute. Left out: as many as can be. */
  perMinute?: number | null;
  /** The ids of the phonebooks whose members it goes to. */
  phonebooks?: string[];
  /** When it begins once it is started. */
  sendAt?: string | Date | null;
  /** The line to send from. */
  sourceNumber?: string | null;
  /** The title, for you. */
  title?: string;
  /**
   * What to do if the text has a `%…%` that no phonebook has: `REFUSE` the send, which is so if it is left out, or
   * `KEEP` it as text.
   */
  unknownPlaceholders?: string | null;
  /** Which of the members it goes to. Left out: all. The key needs the scope `phonebook` for it. */
  where?: { match?: "ALL" | "ANY" | null; tests: TestInput[] } | null;
  /** The hours in which waves go out. What does not fit goes on the next day. Left out: all hours. */
  window?: { from: string; timeZone: string; to: string } | null;
}

/** A change of a campaign that sends what it did, or a pattern from then on. */
export interface PatternCampaignChange {
  /** What all of it may cost. What comes back of it makes room again. Left out: as much as it costs. */
  budget?: number | null;
  /** Who is left out, whoever else names them. */
  exclude?: { numbers?: string[] | null; phonebooks?: string[] | null } | null;
  guard?: GuardInput | null;
  message?: null;
  /** The slug of a pattern, in place of what it sent. */
  pattern?: string | null;
  /** How many people it may reach in a minute. Left out: as many as can be. */
  perMinute?: number | null;
  /** The ids of the phonebooks whose members it goes to. */
  phonebooks?: string[];
  /** When it begins once it is started. */
  sendAt?: string | Date | null;
  /** The line to send from. */
  sourceNumber?: string | null;
  /** The title, for you. */
  title?: string;
  /** The values of the pattern's variables, by their names. */
  variables?: Record<string, string | number | null> | null;
  /** Which of the members it goes to. Left out: all. The key needs the scope `phonebook` for it. */
  where?: { match?: "ALL" | "ANY" | null; tests: TestInput[] } | null;
  /** The hours in which waves go out. What does not fit goes on the next day. Left out: all hours. */
  window?: { from: string; timeZone: string; to: string } | null;
}

/** What to change. What is left out stays; `null` takes away what a campaign can do without. */
export type CampaignChange = TextCampaignChange | PatternCampaignChange;

/**
 * The status of a recipient. `SCHEDULED`, `QUEUED` and `UNKNOWN` hold its money, `SUBMITTED` and `DELIVERED` have
 * spent it. `UNKNOWN`: the carrier may have the message, and Peyk does not send it again.
 */
export type RecipientStatus = "SCHEDULED" | "QUEUED" | "UNKNOWN" | "SUBMITTED" | "DELIVERED" | "UNDELIVERED" | "EXPIRED" | "REJECTED" | "CANCELED" | "SKIPPED";

/** A recipient. `message`, `encoding` and `parts` are there if it has a text of its own. */
export interface Recipient {
  /** The recipient's price. */
  cost: number;
  /** How the text is encoded on the air. */
  encoding?: "GSM7" | "UCS2";
  error?: DeliveryError;
  /** The recipient's own text, if it has one. */
  message?: string;
  /** How many parts the text has. */
  parts?: number;
  /** The number in E.164, or `erased`. */
  recipient: string;
  /** There if the sandbox has taken it in place of a carrier that sends: it reached nobody. */
  simulated?: true;
  status: RecipientStatus;
  /** There if a text of the item is cut in this list. Asked for alone, it is whole. */
  textTruncated?: true;
  /** The uid of the recipient: that of the message, and its index in the message. */
  uid: string;
  /** When its status has changed. */
  updatedAt: string;
}

/** A link to make. */
export interface LinkInput {
  /** How long it can be used. Left out: `600`. */
  ttlSeconds?: number | null;
}

/** A link. It opens one session. */
export interface ConsoleLink {
  /** The code. It is answered this one time. */
  code: string;
  expiresAt: string | null;
  /** The address of the console with the code, for a person to open. */
  url: string;
}

/** What a key may do. */
export type Scope = "sms:send" | "sms:read" | "phonebook" | "pattern" | "verify" | "blacklist" | "erasure" | "account:read" | "webhook" | "keys" | "admin" | "admin:read" | "admin:money" | "admin:accounts" | "admin:carriers" | "admin:service" | "admin:metrics" | "admin:transfer";

/** Who is signed in. */
export interface ConsoleSession {
  /** The account. `null`: an operator has none. */
  account: { fullName: string; id: string; timeZone: string; username: string } | null;
  /**
   * The accounts that the member may go over to, this one included. Nobody else has any. Who has not signed in with a
   * code has this one only: only a code shows that the person has the phone.
   */
  accounts: { fullName: string | null; id: string; username: string | null }[];
  /** When the session ends by itself. `null`: the request came with a key that does not. */
  expiresAt: string | null;
  /** The session, as lists of keys have it; of a request with a key that key. */
  keyId: string;
  /** The lines that the session may send from; `null`: all of the account. */
  lines: string[] | null;
  /** The member who has signed in. `null`: somebody with a key or a link has. */
  member: { passkeyUser: string | null; phone: string; role: "OWNER" | "SENDER" | "FINANCE" | "VIEWER" | null; signedInBy: "CODE" | "PASSKEY" | "LINK" | null } | null;
  /** With the session of a test key, sends cost nothing and reach no carrier. */
  mode: "live" | "test";
  /** Whether the pages of customers are for the session, or those of operators. */
  role: "CUSTOMER" | "OPERATOR";
  scopes: Scope[];
  /** What the key is for by which the session was opened, or the name of the member. */
  title: string;
}

/** What an order has met so far. */
export interface ErasedData {
  /** Whether the number was on the blacklist. It stays blocked. */
  blacklisted: boolean;
  /**
   * Those of them that had not left: they are canceled and paid back. Who was with a carrier and comes back is
   * canceled too, and not counted here.
   */
  canceled: number;
  /** Events of webhooks, waiting or delivered. */
  events: number;
  /** Messages from the phone. */
  inbound: number;
  /** Texts of other messages, and references, that had the number in them. */
  mentions: number;
  /** Entries of phonebooks. */
  phonebookNumbers: number;
  /** Recipients of messages. */
  recipients: number;
}

/** An order to erase a number. */
export interface Erasure {
  /** Of an order as operators see it: how many accounts are done with it. */
  accounts: number | null;
  createdAt: string;
  doneAt: string | null;
  found: ErasedData;
  id: string;
  /** The last two digits of the number. The order does not keep the others when it is done. */
  numberEnding: string;
  /** Who has given the order: the account, or operators over all accounts. */
  orderedBy: "ACCOUNT" | "OPERATORS";
  /** `DONE`: nothing has the number any more. An order runs for two hours at least. */
  status: "RUNNING" | "DONE";
}

/** A number to erase. */
export interface ErasureInput {
  number: string;
}

/** The service is up. */
export interface Health {
  status: "UP";
  /** The version of the service. */
  version: string;
}

/** A number of a phonebook. */
export interface PhonebookNumber {
  attributes: Record<string, string>;
  createdAt: string;
  id: number;
  name: string | null;
  number: string;
}

/** What a phonebook has on a number. */
export interface HeldNumber {
  entry: PhonebookNumber;
  phonebookId: string;
  title: string;
}

/** What an account holds on a number. */
export interface Held {
  /** Whether it is on the blacklist. After an erasure it stays blocked, and the list does not name it. */
  blacklisted: boolean;
  /** Messages from the phone. It counts 10,000 at most. `GET /inbound?from=` lists them. */
  inbound: number;
  /** Messages to the number, codes among them. It counts 10,000 at most. `GET /messages?recipient=` lists them. */
  messages: number;
  number: string;
  /** Whether the owner of the number has put it there, by a reply. */
  optOut: boolean;
  /** What each phonebook has on it, the oldest phonebook first. */
  phonebooks: HeldNumber[];
}

/** A message that a phone has sent. */
export interface InboundMessage {
  /** The sender: a number in E.164, or a short number or a name. */
  from: string;
  /** Its id. The webhook event `message.received` has the same. */
  id: string;
  /** The line that it was sent to. */
  line: string;
  /** Its number in the account. A later message has a higher one. */
  number: number;
  /** Whether it has put its sender on the blacklist. */
  optOut: boolean;
  receivedAt: string;
  /** Whether `POST /inbound/take` has answered it before, or does now. */
  taken: boolean;
  /** The text. At most 10,000 characters; what goes beyond is not kept. */
  text: string;
  /** There if a text of the item is cut in this list. Asked for alone, it is whole. */
  textTruncated?: true;
}

/** Which messages to take. */
export interface InboundToTake {
  /** How many at most. Left out: `100`. */
  limit?: number | null;
  /** Only messages to this line. Left out: those to any. */
  line?: string | null;
}

/** Messages that a request has taken. */
export interface TakenInbound {
  messages: InboundMessage[];
}

/** A key of the account. */
export interface OwnKey {
  createdAt: string;
  /** The key that has made it; `null`: no key of this list. */
  createdBy: string | null;
  /** Whether it is the key of the request. */
  current: boolean;
  /** What it may spend in a day (UTC); `null`: as much as the account. */
  dailySpend: number | null;
  expiresAt: string | null;
  /** The first characters of the key and the last four. `null`: it was revoked before anybody used it. */
  hint: string | null;
  id: string;
  /** The networks that it may be used from; `null`: all. */
  ips: string[] | null;
  /** The address that it came from then; another one shows after a minute. `null`: nobody knows. */
  lastAddress: string | null;
  /** The hour in which a request came with it last: when that began. `null`: none has come. */
  lastUsedAt: string | null;
  /** The lines that the key may send from; `null`: all of the account. */
  lines: string[] | null;
  /** Sends of test keys cost nothing and reach no carrier. */
  mode: "live" | "test";
  /** How many tokens it may take in a minute; `null`: as many as the account. */
  ratePerMinute: number | null;
  /** The key that has replaced it. */
  replacedBy: string | null;
  revokedAt: string | null;
  scopes: Scope[];
  /** The key by which this session of the console was opened, and with which it ends; `null`: it is no session. */
  sessionOf: string | null;
  title: string;
}

/** What a key of an account may do. */
export type AccountScope = "sms:send" | "sms:read" | "phonebook" | "pattern" | "verify" | "blacklist" | "erasure" | "account:read" | "webhook" | "keys";

/** A key to issue. */
export interface OwnKeyInput {
  /** At most as much as the key of the request has. */
  dailySpend?: number | null;
  /** When the key ends. */
  expiresAt?: string | Date | null;
  /**
   * `HEX32` and `HEX64` are hexadecimal digits only, for programs that take no other keys. Such a key has no checksum,
   * and does not tell its mode. Left out: `PEYK`.
   */
  form?: "PEYK" | "HEX32" | "HEX64" | null;
  /** Its networks are among those of the key of the request. */
  ips?: string[] | null;
  key?: null;
  /** The lines that it may send from, of those that the key of the request may. */
  lines?: string[] | null;
  /** A test key can issue test keys only. */
  mode?: "live" | "test" | null;
  /** At most as much as the key of the request has. */
  ratePerMinute?: number | null;
  /**
   * What the key may do, of what the key of the request may; all of that but `keys`, `webhook` and `erasure` if left
   * out.
   */
  scopes?: AccountScope[] | null;
  /** What the key is for. */
  title: string;
}

/** A key that was just issued. */
export interface IssuedKey {
  createdAt: string;
  /** The key that has made it; `null`: no key of this list. */
  createdBy: string | null;
  /** What it may spend in a day (UTC); `null`: as much as the account. */
  dailySpend: number | null;
  expiresAt: string | null;
  /** The first characters of the key and the last four. `null`: it was revoked before anybody used it. */
  hint: string | null;
  id: string;
  /** The networks that it may be used from; `null`: all. */
  ips: string[] | null;
  /** The key. It is answered this one time. */
  key: string;
  /** The address that it came from then; another one shows after a minute. `null`: nobody knows. */
  lastAddress: string | null;
  /** The hour in which a request came with it last: when that began. `null`: none has come. */
  lastUsedAt: string | null;
  /** The lines that the key may send from; `null`: all of the account. */
  lines: string[] | null;
  /** Sends of test keys cost nothing and reach no carrier. */
  mode: "live" | "test";
  /** How many tokens it may take in a minute; `null`: as many as the account. */
  ratePerMinute: number | null;
  /** The key that has replaced it. */
  replacedBy: string | null;
  revokedAt: string | null;
  scopes: Scope[];
  /** The key by which this session of the console was opened, and with which it ends; `null`: it is no session. */
  sessionOf: string | null;
  title: string;
}

/** What was thrown out. */
export interface Cascade {
  /** The key, each that it has made or that stands in its place, and so on. They are revoked. */
  keys: { id: string; revokedAt: string; title: string }[];
  /**
   * The endpoints that one of these keys has made, or whose address or events it was the last to change. They are
   * inactive.
   */
  webhooks: { id: string; url: string }[];
}

/** How long the old key works on. For the key of the request itself at least 60. */
export interface Rotation {
  /** How the new key is written. */
  form?: "PEYK" | "HEX32" | "HEX64" | null;
  /** How long the old key works on, up to 30 days. Left out: `86400`. */
  graceSeconds?: number | null;
}

/** A key that has replaced another. */
export interface RotatedKey {
  createdAt: string;
  /** The key that has made it; `null`: no key of this list. */
  createdBy: string | null;
  /** What it may spend in a day (UTC); `null`: as much as the account. */
  dailySpend: number | null;
  expiresAt: string | null;
  /** The first characters of the key and the last four. `null`: it was revoked before anybody used it. */
  hint: string | null;
  id: string;
  /** The networks that it may be used from; `null`: all. */
  ips: string[] | null;
  /** The key. It is answered this one time. */
  key: string;
  /** The address that it came from then; another one shows after a minute. `null`: nobody knows. */
  lastAddress: string | null;
  /** The hour in which a request came with it last: when that began. `null`: none has come. */
  lastUsedAt: string | null;
  /** The lines that the key may send from; `null`: all of the account. */
  lines: string[] | null;
  /** Sends of test keys cost nothing and reach no carrier. */
  mode: "live" | "test";
  /** How many tokens it may take in a minute; `null`: as many as the account. */
  ratePerMinute: number | null;
  /** The key that has replaced it. */
  replacedBy: string | null;
  /** The old key, and when it ends. */
  replaces: { expiresAt: string | null; id: string };
  revokedAt: string | null;
  scopes: Scope[];
  /** The key by which this session of the console was opened, and with which it ends; `null`: it is no session. */
  sessionOf: string | null;
  title: string;
}

/** A line that the key may send from. */
export interface OwnLine {
  /** Whether sends may ask for `"encoding": "CHEAPEST"`. */
  cheapest: boolean;
  /** `SERVICE`: patterns and codes alone can be sent from it. `ADVERTISING`: others. It follows from `operations`. */
  class: "ADVERTISING" | "SERVICE";
  /** Whether a send that names no line goes from it. */
  default: boolean;
  /** When own texts to many may leave: what comes at another time waits. `null`: at any time. */
  hours: Hours | null;
  number: string;
  /** What can be sent from the line: `PATTERN` means patterns, `WEBSERVICE` all other texts. */
  operations: ("WEBSERVICE" | "PATTERN")[];
  /** Whether all accounts may use it. */
  shared: boolean;
  /** What is appended to texts that go to many, unless they have it. */
  suffix: string | null;
}

/** A member of an account. */
export interface Member {
  createdAt: string;
  /** The member or the key that has admitted the person; `null`: an operator has. */
  createdBy: string | null;
  id: string;
  /**
   * When the person has accepted the invitation. `null`: not yet; until then no code to sign in goes to the phone.
   */
  joinedAt: string | null;
  /** When the person signed in last. `null`: not since the service notes it. */
  lastSignInAt: string | null;
  name: string;
  phone: string;
  /**
   * `OWNER`: everything, members and keys included. `SENDER`: send, and manage what is sent. `FINANCE`: see the money.
   * `VIEWER`: see messages and the money.
   */
  role: "OWNER" | "SENDER" | "FINANCE" | "VIEWER";
}

/** A person to admit. */
export interface AccountMemberInput {
  /**
   * Whether the person gets an invitation by SMS, which the account pays. Who gets none comes in by a link. Left out:
   * `true`.
   */
  invite?: boolean | null;
  name: string;
  phone: string;
  role: "OWNER" | "SENDER" | "FINANCE" | "VIEWER";
}

/** What members need to sign in. */
export interface SignInRule {
  /** `CODE`: a code by SMS, or a passkey. `PASSKEY`: a passkey; a code opens no session then. */
  require: "CODE" | "PASSKEY";
}

/** What members shall need to sign in. */
export interface SignInRuleInput {
  require: "CODE" | "PASSKEY";
}

/** What is to change of a member. If the role changes, all sessions of the person end. */
export interface AccountMemberChange {
  name?: string | null;
  role?: "OWNER" | "SENDER" | "FINANCE" | "VIEWER" | null;
}

/** The status of a message. `DONE`: each recipient has its last status or is `UNKNOWN`. */
export type MessageStatus = "SCHEDULED" | "QUEUED" | "SENDING" | "DONE" | "CANCELED";

/** By which route the message was sent. */
export type MessageType = "PLAIN" | "PATTERN" | "PHONEBOOK" | "BULK" | "VERIFY" | "SIGN_IN";

/** A message. */
export interface MessageSummary {
  /** There if it is a wave of a campaign: the id of that. */
  campaign?: string;
  /** Your own reference. */
  clientRef: string | null;
  /** The price of all recipients together. */
  cost: number;
  createdAt: string;
  /** How many recipients have it. */
  delivered: number;
  /** How the text is encoded on the air. */
  encoding: "GSM7" | "UCS2";
  /** How many are UNDELIVERED, EXPIRED or REJECTED. */
  failed: number;
  /** The text. `null` for a bulk send. */
  message: string | null;
  /** How many parts the text has. */
  parts: number;
  /** `true`: it is paused, and nothing of it leaves. */
  paused?: boolean;
  /** There if it is paused: what has not left by then is canceled. */
  pausedUntil?: string;
  /** How many recipients it has, without those that were left out. */
  recipientCount: number;
  /** When it is to be sent. `null`: at once. */
  sendAt: string | null;
  /** There if the sandbox has taken it in place of a carrier that sends: it reached nobody. */
  simulated?: true;
  /** There if `blacklisted` was `SKIP`, and in a wave of a campaign: how many were left out. */
  skipped?: number;
  /** The line that it is sent from. */
  sourceNumber: string;
  status: MessageStatus;
  /** Whether a test key has sent it. */
  test: boolean;
  /** There if a text of the item is cut in this list. Asked for alone, it is whole. */
  textTruncated?: true;
  type: MessageType;
  /** The message's uid. */
  uid: string;
  /** The currency of the amounts. */
  unit: string;
  /** There if it goes to many and waits for the hours of its line. */
  waitsFor?: "HOURS";
  /** There with `waitsFor`: when the hours begin. */
  waitsUntil?: string;
}

/** Recipients to find, by their uids. */
export interface RecipientsByUid {
  clientRefs?: null;
  /**
   * Uids of recipients. In place of a message's uid, its last twelve digits may stand, as a decimal number: the
   * message's number in its account.
   */
  recipients: string[];
}

/** Recipients to find, by references. */
export interface RecipientsByReference {
  /** References that messages were sent with (`clientRef`). */
  clientRefs: string[];
}

/** Recipients to find. */
export type RecipientsToFind = RecipientsByUid | RecipientsByReference;

/** A recipient, with what its message is. */
export interface FoundRecipient {
  /** As the body names it. */
  asked: string;
  /** The client's own reference. */
  clientRef: string | null;
  /** The recipient's price. */
  cost: number;
  createdAt: string;
  error?: DeliveryError;
  /** How many parts the text has. */
  parts: number;
  /** The number in E.164, or `erased`. */
  recipient: string;
  /** How many recipients the message has. */
  recipientCount: number;
  sendAt: string | null;
  /** There if the sandbox has taken it in place of a carrier that sends: it reached nobody. */
  simulated?: true;
  /** The line that it is sent from. */
  sourceNumber: string;
  status: RecipientStatus;
  /** What the recipient gets. Secret values are `••••` in time. */
  text: string;
  /** The uid of the recipient: that of the message, and its index in the message. */
  uid: string;
  updatedAt: string;
}

/** Recipients of any messages. */
export interface FoundRecipients {
  recipients: FoundRecipient[];
}

/** A message with its counts and its first recipients. */
export interface Message {
  /** There if it is a wave of a campaign: the id of that. */
  campaign?: string;
  /** Your own reference. */
  clientRef: string | null;
  /** The price of all recipients together. */
  cost: number;
  /** How many recipients have which status. A status that none has is left out. */
  counts: { CANCELED?: number; DELIVERED?: number; EXPIRED?: number; QUEUED?: number; REJECTED?: number; SCHEDULED?: number; SKIPPED?: number; SUBMITTED?: number; UNDELIVERED?: number; UNKNOWN?: number };
  createdAt: string;
  /** How many recipients have it. */
  delivered: number;
  /** How the text is encoded on the air. */
  encoding: "GSM7" | "UCS2";
  /** How many are UNDELIVERED, EXPIRED or REJECTED. */
  failed: number;
  /** The text. `null` for a bulk send. */
  message: string | null;
  /** How many parts the text has. */
  parts: number;
  /** `true`: it is paused, and nothing of it leaves. */
  paused?: boolean;
  /** There if it is paused: what has not left by then is canceled. */
  pausedUntil?: string;
  /** How many recipients it has, without those that were left out. */
  recipientCount: number;
  /** The first 100 recipients. */
  recipients: Recipient[];
  /** What of `returned` was spent before. */
  refunded: number;
  /** What of `returned` was never spent. */
  released: number;
  /** What of the cost is reserved, for recipients that have no ending yet. */
  reserved: number;
  /**
   * What of the cost has come back: for recipients that were refused or canceled, and for those that the plan refunds.
   */
  returned: number;
  /** When it is to be sent. `null`: at once. */
  sendAt: string | null;
  /** There if the sandbox has taken it in place of a carrier that sends: it reached nobody. */
  simulated?: true;
  /** There if `blacklisted` was `SKIP`, and in a wave of a campaign: how many were left out. */
  skipped?: number;
  /** The line that it is sent from. */
  sourceNumber: string;
  /** What of the cost is spent, for recipients that a carrier took. */
  spent: number;
  status: MessageStatus;
  /** Whether a test key has sent it. */
  test: boolean;
  /** There if a text of the item is cut in this list. Asked for alone, it is whole. */
  textTruncated?: true;
  type: MessageType;
  /** The message's uid. */
  uid: string;
  /** The currency of the amounts. */
  unit: string;
  /** There if it goes to many and waits for the hours of its line. */
  waitsFor?: "HOURS";
  /** There with `waitsFor`: when the hours begin. */
  waitsUntil?: string;
}

/** A message of which what had not left is canceled. */
export interface CanceledMessage {
  /** There if it is a wave of a campaign: the id of that. */
  campaign?: string;
  /** How many recipients were canceled now. */
  canceled: number;
  /** Your own reference. */
  clientRef: string | null;
  /** The price of all recipients together. */
  cost: number;
  /** How many recipients have which status. A status that none has is left out. */
  counts: { CANCELED?: number; DELIVERED?: number; EXPIRED?: number; QUEUED?: number; REJECTED?: number; SCHEDULED?: number; SKIPPED?: number; SUBMITTED?: number; UNDELIVERED?: number; UNKNOWN?: number };
  createdAt: string;
  /** How many recipients have it. */
  delivered: number;
  /** How the text is encoded on the air. */
  encoding: "GSM7" | "UCS2";
  /** How many are UNDELIVERED, EXPIRED or REJECTED. */
  failed: number;
  /** How many had left. */
  left: number;
  /** The text. `null` for a bulk send. */
  message: string | null;
  /** How many parts the text has. */
  parts: number;
  /** `true`: it is paused, and nothing of it leaves. */
  paused?: boolean;
  /** There if it is paused: what has not left by then is canceled. */
  pausedUntil?: string;
  /** How many recipients it has, without those that were left out. */
  recipientCount: number;
  /** The first 100 recipients. */
  recipients: Recipient[];
  /** What of `returned` was spent before. */
  refunded: number;
  /** What of `returned` was never spent. */
  released: number;
  /** What of the cost is reserved, for recipients that have no ending yet. */
  reserved: number;
  /**
   * What of the cost has come back: for recipients that were refused or canceled, and for those that the plan refunds.
   */
  returned: number;
  /** When it is to be sent. `null`: at once. */
  sendAt: string | null;
  /** There if the sandbox has taken it in place of a carrier that sends: it reached nobody. */
  simulated?: true;
  /** There if `blacklisted` was `SKIP`, and in a wave of a campaign: how many were left out. */
  skipped?: number;
  /** The line that it is sent from. */
  sourceNumber: string;
  /** What of the cost is spent, for recipients that a carrier took. */
  spent: number;
  status: MessageStatus;
  /** Whether a test key has sent it. */
  test: boolean;
  /** There if a text of the item is cut in this list. Asked for alone, it is whole. */
  textTruncated?: true;
  type: MessageType;
  /** The message's uid. */
  uid: string;
  /** The currency of the amounts. */
  unit: string;
  /** There if it goes to many and waits for the hours of its line. */
  waitsFor?: "HOURS";
  /** There with `waitsFor`: when the hours begin. */
  waitsUntil?: string;
  /**
   * How many others carriers had when the request came. Those that they have not sent become CANCELED within half a
   * minute.
   */
  withCarriers: number;
}

/** A variable of a version. */
export interface Variable {
  maxLength: number;
  name: string;
  /** Whether `••••` stands in the place of a value when the message has ended for a day. */
  secret: boolean;
  /** Which values it takes: any text, a number, an address with `http://` or `https://`, or one of `values`. */
  type: "TEXT" | "NUMBER" | "LINK" | "ENUM";
  /** The values of an `ENUM`, `null` for others. */
  values: string[] | null;
}

/** A version of a pattern. Its text never changes. */
export interface PatternVersion {
  createdAt: string;
  /** There if it is `REFUSED`: why. */
  reason?: string;
  /**
   * `ACTIVE`: sends use it. `PENDING`: it waits for an operator. `REFUSED`: an operator has refused it. `RETIRED`: it
   * was active.
   */
  status: "ACTIVE" | "DRAFT" | "PENDING" | "REFUSED" | "RETIRED";
  text: string;
  /** There if a text of the item is cut in this list. Asked for alone, it is whole. */
  textTruncated?: true;
  /** One for each placeholder, in the order of the text. */
  variables: Variable[];
  /** Its number, from 1. */
  version: number;
}

/** A pattern with versions. */
export interface Pattern {
  createdAt: string;
  /** The lines that it can be sent from; none means all. */
  lines: string[];
  slug: string;
  title: string;
  /** All versions, newest first. In lists the active one and the newest. */
  versions: PatternVersion[];
}

/** A variable that takes a text, a number or a link. */
export interface FreeVariableInput {
  /** How many characters a value may have. An `ENUM` ignores it. Left out: `100`. */
  maxLength?: number | null;
  /** The name that stands between two `%` in the text. */
  name: string;
  /**
   * Whether `••••` takes the place of a value when the message has ended for a day: in a login code, for example. Left
   * out: `false`.
   */
  secret?: boolean | null;
  type?: "TEXT" | "NUMBER" | "LINK" | null;
  /** Only an `ENUM` has values. */
  values?: never[] | null;
}

/** A variable that takes one of some values. */
export interface ChoiceInput {
  /** How many characters a value may have. An `ENUM` ignores it. Left out: `100`. */
  maxLength?: number | null;
  /** The name that stands between two `%` in the text. */
  name: string;
  /**
   * Whether `••••` takes the place of a value when the message has ended for a day: in a login code, for example. Left
   * out: `false`.
   */
  secret?: boolean | null;
  type: "ENUM";
  /** The values of an `ENUM`. */
  values: string[];
}

/** A variable of the text. */
export type VariableInput = FreeVariableInput | ChoiceInput;

/** A pattern with its first version. */
export interface PatternWithVersion {
  /** Lines of the account. If there are any, the pattern can be sent from these only. */
  lines?: string[] | null;
  /** The name of the pattern in sends. */
  slug?: string | null;
  /** The text, with up to 20 placeholders like `%OTP%`. */
  text: string;
  /** What the pattern is for. */
  title: string;
  /**
   * The types of placeholders of the text. A placeholder that is left out is `TEXT`. Together at most 16 KiB as JSON.
   */
  variables?: VariableInput[] | null;
}

/** A pattern without a version. */
export interface PatternWithoutVersion {
  /** Lines of the account. If there are any, the pattern can be sent from these only. */
  lines?: string[] | null;
  /** The name of the pattern in sends. */
  slug?: string | null;
  text?: null;
  /** What the pattern is for. */
  title: string;
  variables?: never;
}

/** A pattern to create. Peyk makes a slug if there is none. */
export type PatternInput = PatternWithVersion | PatternWithoutVersion;

/** What to change. What is left out stays. */
export interface PatternChange {
  /** Lines of the account. If there are any, the pattern can be sent from these only. */
  lines?: string[] | null;
  /** What the pattern is for. */
  title?: string | null;
}

/** A version to add. */
export interface PatternVersionInput {
  /** The text, with up to 20 placeholders like `%OTP%`. */
  text: string;
  /**
   * The types of placeholders of the text. A placeholder that is left out is `TEXT`. Together at most 16 KiB as JSON.
   */
  variables?: VariableInput[] | null;
}

/** A phonebook. */
export interface Phonebook {
  /** How many numbers it has. */
  count: number;
  createdAt: string;
  description: string | null;
  id: string;
  title: string;
}

/** A phonebook to create. */
export interface PhonebookInput {
  /** What the phonebook is for. */
  description?: string | null;
  /** The title. An account has each title once. */
  title: string;
}

/** Which phonebook to change, and what. */
export interface PhonebookChangeById {
  /** What the phonebook is for. */
  description?: string | null;
  /** The phonebook's id. */
  id: string;
  /** The title. An account has each title once. */
  title?: string;
}

/** A number to add. */
export interface OneNumber {
  /**
   * What else is known of the number, together at most 2,048 bytes as JSON. The numbers of a phonebook have up to 50
   * different attributes.
   */
  attributes?: Record<string, string | number | null> | null;
  /** Whose number it is. */
  name?: string | null;
  number: string;
  numbers?: null;
}

/** A number to add. */
export interface NumberInput {
  /**
   * What else is known of the number, together at most 2,048 bytes as JSON. The numbers of a phonebook have up to 50
   * different attributes.
   */
  attributes?: Record<string, string | number | null> | null;
  /** Whose number it is. */
  name?: string | null;
  number: string;
}

/** Numbers to add. Peyk adds the good items and names the others. */
export interface ManyNumbers {
  number?: null;
  numbers: (string | NumberInput)[];
}

export type AddNumbers = OneNumber | ManyNumbers;

/** What has become of the numbers. */
export interface AddedToPhonebook {
  /** How many numbers are new. */
  added: number;
  /** The items that were refused. */
  invalid: { detail: string; index: number; value: string | null }[];
  /** The numbers as the phonebook has them now. */
  numbers: PhonebookNumber[];
  /** How many were there. */
  updated: number;
}

/** What to change. What is left out stays; `null` takes the name or the attributes away. */
export interface NumberChange {
  /**
   * What else is known of the number, together at most 2,048 bytes as JSON. The numbers of a phonebook have up to 50
   * different attributes.
   */
  attributes?: Record<string, string | number | null> | null;
  /** Whose number it is. */
  name?: string | null;
  number?: string | null;
}

/** What to change. What is left out stays; `null` takes the description away. */
export interface PhonebookChange {
  /** What the phonebook is for. */
  description?: string | null;
  /** The title. An account has each title once. */
  title?: string;
}

/** What the columns of an imported file were taken for, by their titles. */
export interface ImportedColumns {
  /** The titles of the columns that are attributes. */
  attributes: string[];
  /** The titles of the columns that were left out: other columns of numbers. */
  leftOut: string[];
  /** The title of the column with the names. */
  name: string | null;
  /** The title of the column with the numbers. */
  number: string;
}

/** What has become of the file. */
export interface ImportedNumbers {
  /** How many numbers are new. */
  added: number;
  columns: ImportedColumns;
  /** The first 1,000 lines that were refused. */
  invalid: { detail: string; line: number; value: string | null }[];
  /** How many lines were refused. */
  invalidCount: number;
  /** How many lines the file has behind the one with the titles. Lines without anything do not count. */
  lines: number;
  /** How many were there. */
  updated: number;
}

/** The price of one part to the numbers that begin with a prefix. */
export interface PriceTo {
  prefix: string;
  /** The price of one part. */
  price: number;
}

/** What messages cost. */
export interface Tariff {
  /** Where the account sends: the prefixes of the numbers. */
  destinations: string[];
  /** The most parts of one message. */
  maxParts: number;
  /** The most recipients of one send to phonebooks. */
  maxPhonebookRecipients: number;
  /** The most recipients of one send. */
  maxRecipients: number;
  plan: { title: string };
  tariff: { price: number; prices: PriceTo[]; slug: string; title: string };
  /** The coefficients of each line. */
  textsCoefficients: { ENGLISH: number; MCI: number; MTN: number; PATTERN: number; PERSIAN: number; WEBSERVICE: number; title: string }[];
}

/** A text for one number. */
export interface BulkText {
  /** The text. It may have 10 parts, unless the operator has set another number. */
  message: string;
  pattern?: null;
  recipient: string;
}

/** A pattern for one number. */
export interface BulkPattern {
  message?: null;
  /** The slug of the pattern. */
  pattern: string;
  recipient: string;
  /** The values of the pattern's variables, by their names. */
  variables?: Record<string, string | number | null> | null;
}

/** A text or a pattern for one number. */
export type BulkItem = BulkText | BulkPattern;

/** A send of texts, each to its own number. */
export interface BulkSend {
  /**
   * What to do with recipients on the blacklist: `REFUSE` the send for one of them, which is so if it is left out, or
   * `SKIP` them. Who is skipped costs nothing. A send of which all are on the blacklist is refused in any case.
   */
  blacklisted?: string | null;
  /** A reference of your own. `GET /messages` finds the message by it. */
  clientRef?: string | null;
  /**
   * In which form texts are sent: `AS_IS`, as they are, which is so if it is left out, or `CHEAPEST`, in the form that
   * reads the same and costs least. Then the answer has `text` and `saved`. A line may not allow it.
   */
  encoding?: string | null;
  /**
   * Up to 1,000 unless the operator has set another number. If several items name one number, the first one counts.
   */
  messages: BulkItem[];
  /** When to send, at most 90 days ahead. Left out: at once. */
  sendAt?: string | Date | null;
  /** The line to send from. Left out or empty: the account's default line. */
  sourceNumber?: string | null;
}

/** A recipient of a send. */
export interface SentRecipient {
  /** The recipient's price. */
  cost: number;
  /** The number in E.164, or `erased`. */
  recipient: string;
  status: RecipientStatus;
  /** The uid of the recipient: that of the message, and its index in the message. */
  uid: string;
}

/** A message that was accepted. */
export interface SentMessage {
  /** Your own reference. */
  clientRef: string | null;
  /** The price of all recipients together. Sends of test keys cost nothing. */
  cost: number;
  /** How the text is encoded on the air. */
  encoding: "GSM7" | "UCS2";
  /** How many parts the text has. */
  parts: number;
  /** All recipients that get the message, each number once. */
  recipients: SentRecipient[];
  /** There if `encoding` is `CHEAPEST`: what the text as it is would have cost more. */
  saved?: number;
  /** When it is to be sent. `null`: at once. */
  sendAt: string | null;
  /** There if `blacklisted` is `SKIP`: how many recipients were left out, because they are on the blacklist. */
  skipped?: number;
  /** The line that it is sent from. */
  sourceNumber: string;
  status: MessageStatus;
  /**
   * There if `encoding` is `CHEAPEST`, and all recipients get the same text: the text as it is sent. Secret values are
   * `••••`.
   */
  text?: string;
  type: MessageType;
  /** The message's uid. */
  uid: string;
  /** The currency of the amounts. */
  unit: string;
  /** There if it goes to many and waits for the hours of its line. */
  waitsFor?: "HOURS";
  /** There with `waitsFor`: when the hours begin. */
  waitsUntil?: string;
}

/** A send of one text. */
export interface Send {
  /**
   * What to do with recipients on the blacklist: `REFUSE` the send for one of them, which is so if it is left out, or
   * `SKIP` them. Who is skipped costs nothing. A send of which all are on the blacklist is refused in any case.
   */
  blacklisted?: string | null;
  /** A reference of your own. `GET /messages` finds the message by it. */
  clientRef?: string | null;
  /**
   * In which form texts are sent: `AS_IS`, as they are, which is so if it is left out, or `CHEAPEST`, in the form that
   * reads the same and costs least. Then the answer has `text` and `saved`. A line may not allow it.
   */
  encoding?: string | null;
  /** The text. It may have 10 parts, unless the operator has set another number. */
  message: string;
  /** The numbers, up to 1,000 unless the operator has set another number. A number that comes twice counts once. */
  recipients: string[];
  /** When to send, at most 90 days ahead. Left out: at once. */
  sendAt?: string | Date | null;
  /** The line to send from. Left out or empty: the account's default line. */
  sourceNumber?: string | null;
}

export interface EstimateOfSend {
  bulk?: never;
  pattern?: never;
  phonebook?: never;
  send: Send;
}

/** A pattern for one number. */
export interface PatternToOne {
  /**
   * What to do with recipients on the blacklist: `REFUSE` the send for one of them, which is so if it is left out, or
   * `SKIP` them. Who is skipped costs nothing. A send of which all are on the blacklist is refused in any case.
   */
  blacklisted?: string | null;
  /** A reference of your own. `GET /messages` finds the message by it. */
  clientRef?: string | null;
  /**
   * In which form texts are sent: `AS_IS`, as they are, which is so if it is left out, or `CHEAPEST`, in the form that
   * reads the same and costs least. Then the answer has `text` and `saved`. A line may not allow it.
   */
  encoding?: string | null;
  /** The slug of the pattern. */
  pattern: string;
  recipient: string;
  recipients?: null;
  /** When to send, at most 90 days ahead. Left out: at once. */
  sendAt?: string | Date | null;
  /** The line to send from. Left out or empty: the account's default line. */
  sourceNumber?: string | null;
  /** The values of the pattern's variables, by their names. */
  variables?: Record<string, string | number | null> | null;
}

/** A pattern for several numbers, all with the same values. */
export interface PatternToMany {
  /**
   * What to do with recipients on the blacklist: `REFUSE` the send for one of them, which is so if it is left out, or
   * `SKIP` them. Who is skipped costs nothing. A send of which all are on the blacklist is refused in any case.
   */
  blacklisted?: string | null;
  /** A reference of your own. `GET /messages` finds the message by it. */
  clientRef?: string | null;
  /**
   * In which form texts are sent: `AS_IS`, as they are, which is so if it is left out, or `CHEAPEST`, in the form that
   * reads the same and costs least. Then the answer has `text` and `saved`. A line may not allow it.
   */
  encoding?: string | null;
  /** The slug of the pattern. */
  pattern: string;
  recipient?: null;
  /** The numbers, up to 1,000 unless the operator has set another number. A number that comes twice counts once. */
  recipients: string[];
  /** When to send, at most 90 days ahead. Left out: at once. */
  sendAt?: string | Date | null;
  /** The line to send from. Left out or empty: the account's default line. */
  sourceNumber?: string | null;
  /** The values of the pattern's variables, by their names. */
  variables?: Record<string, string | number | null> | null;
}

/** A send of a pattern, filled in once. */
export type PatternSend = PatternToOne | PatternToMany;

export interface EstimateOfPattern {
  bulk?: never;
  pattern: PatternSend;
  phonebook?: never;
  send?: never;
}

/** A text for a phonebook. */
export interface TextToPhonebook {
  /**
   * What to do with recipients on the blacklist: `REFUSE` the send for one of them, which is so if it is left out, or
   * `SKIP` them. Who is skipped costs nothing. A send of which all are on the blacklist is refused in any case.
   */
  blacklisted?: string | null;
  /** A reference of your own. `GET /messages` finds the message by it. */
  clientRef?: string | null;
  /**
   * In which form texts are sent: `AS_IS`, as they are, which is so if it is left out, or `CHEAPEST`, in the form that
   * reads the same and costs least. Then the answer has `text` and `saved`. A line may not allow it.
   */
  encoding?: string | null;
  /** Numbers that get nothing. */
  exclude?: string[] | null;
  /**
   * The text. `%name%`, and `%…%` with the name of an attribute, stand for what the phonebook has for the number. At
   * most 21 different placeholders.
   */
  message: string;
  /** The id of a phonebook. */
  phonebook: string;
  phonebooks?: null;
  /** When to send, at most 90 days ahead. Left out: at once. */
  sendAt?: string | Date | null;
  /** The line to send from. Left out or empty: the account's default line. */
  sourceNumber?: string | null;
  /**
   * What to do if the text has a `%…%` that no phonebook has: `REFUSE` the send, which is so if it is left out, or
   * `KEEP` it as text.
   */
  unknownPlaceholders?: string | null;
}

/** A text for several phonebooks. */
export interface TextToPhonebooks {
  /**
   * What to do with recipients on the blacklist: `REFUSE` the send for one of them, which is so if it is left out, or
   * `SKIP` them. Who is skipped costs nothing. A send of which all are on the blacklist is refused in any case.
   */
  blacklisted?: string | null;
  /** A reference of your own. `GET /messages` finds the message by it. */
  clientRef?: string | null;
  /**
   * In which form texts are sent: `AS_IS`, as they are, which is so if it is left out, or `CHEAPEST`, in the form that
   * reads the same and costs least. Then the answer has `text` and `saved`. A line may not allow it.
   */
  encoding?: string | null;
  /** Numbers that get nothing. */
  exclude?: string[] | null;
  /**
   * The text. `%name%`, and `%…%` with the name of an attribute, stand for what the phonebook has for the number. At
   * most 21 different placeholders.
   */
  message: string;
  phonebook?: null;
  phonebooks: string[];
  /** When to send, at most 90 days ahead. Left out: at once. */
  sendAt?: string | Date | null;
  /** The line to send from. Left out or empty: the account's default line. */
  sourceNumber?: string | null;
  /**
   * What to do if the text has a `%…%` that no phonebook has: `REFUSE` the send, which is so if it is left out, or
   * `KEEP` it as text.
   */
  unknownPlaceholders?: string | null;
}

/** A send of one text to phonebooks, filled in for each number. */
export type PhonebookSend = TextToPhonebook | TextToPhonebooks;

export interface EstimateOfPhonebook {
  bulk?: never;
  pattern?: never;
  phonebook: PhonebookSend;
  send?: never;
}

export interface EstimateOfBulk {
  bulk: BulkSend;
  pattern?: never;
  phonebook?: never;
  send?: never;
}

/** The send to estimate, under the name of its kind. */
export type EstimateRequest = EstimateOfSend | EstimateOfPattern | EstimateOfPhonebook | EstimateOfBulk;

/** A text that reads the same and costs less. To use it, send its `text` in place of yours. */
export interface Alternative {
  /**
   * What differs from your text. `MARKS`: invisible marks and lines that stretch letters are gone. `COMPOSED`: a
   * letter and its accent are one character. `LETTERS`: Arabic ي and ك within words of a Persian text are ی and ک.
   * `BLANKS`: blanks at the ends of lines are gone. `LOOK_ALIKES`: quotes, dashes, spaces and dots are those of plain
   * Latin. `DIGITS`: the digits are Latin. `NO_BREAK_SPACE`: a space does not break, so that the text is sent in
   * UCS-2, whose parts cost less here.
   */
  changes: ("MARKS" | "COMPOSED" | "LETTERS" | "BLANKS" | "LOOK_ALIKES" | "DIGITS" | "NO_BREAK_SPACE")[];
  /** The price of all recipients together. */
  cost: number;
  /** How the text is encoded on the air. */
  encoding: "GSM7" | "UCS2";
  /** How many parts the text has. */
  parts: number;
  /** The text. A reader sees the same as in yours. */
  text: string;
}

/** A refusal that a send would meet. */
export interface EstimateFault {
  /** What went wrong, as a number. A program should decide by it. */
  code: number;
  /** What to mend, for people. At most 1,000 characters. */
  detail: string;
  /** The same faults, for programs. */
  errors: { detail: string; pointer: string }[];
  /** The faults in words. Each begins with a field. */
  extra: string[];
  /** What went wrong, as a name. */
  name: "BadRequest" | "Unauthorized" | "Forbidden" | "NotFound" | "MethodNotAllowed" | "Conflict" | "PayloadTooLarge" | "UnsupportedMediaType" | "ErrorTypeValidation" | "TooManyRequests" | "InternalServerError" | "ServiceUnavailable" | "UserInactive" | "InsufficientBalance" | "DailyLimitReached" | "SmsSendNotAllowed" | "SmsHeadNumberNotFound" | "SmsPatternNoActiveVersion" | "SmsPatternHeadNumberNotAcceptable" | "SmsPatternVariableHasNoValue" | "SmsPatternVariableNotValid" | "SmsDestinationNotAllowed" | "SmsRecipientBlacklisted" | "SmsRecipientLimit" | "VerifyNotPending";
  /** The HTTP status. */
  status: number;
}

/** What a send would cost. */
export interface Estimate {
  /**
   * Texts that read the same as yours and cost less, the cheapest first. Only a text that all recipients get has any,
   * and none has on a line that does not allow `CHEAPEST`.
   */
  alternatives: Alternative[];
  /** The price of all recipients together. For a test key it is what a live key of the account would pay. */
  cost: number;
  /** How the text is encoded on the air. */
  encoding: "GSM7" | "UCS2";
  /** The refusals that the send would meet: 1003, 3011, 3016, 3018, 2002, 2001. */
  faults: EstimateFault[];
  /** How many parts the text has. */
  parts: number;
  /** How many recipients there are. */
  recipients: number;
  /**
   * The first three texts as they would be sent, if values are filled in. To see values of a phonebook, a key needs
   * the scope `phonebook`.
   */
  samples?: string[];
  /** There if `encoding` is `CHEAPEST`: what the text as it is would cost more. */
  saved?: number;
  /** There if `blacklisted` is `SKIP`: how many recipients would be left out. */
  skipped?: number;
  /** The line that it is sent from. */
  sourceNumber: string;
  /**
   * There if the line appends a text to what goes to many: this one, unless the text has it. It is counted in `parts`
   * and `cost`.
   */
  suffix?: string;
  /** Whether a test key has asked. It pays nothing: `cost` is what a live key would pay. */
  test: boolean;
  /**
   * There if `encoding` is `CHEAPEST`, and all recipients get the same text: the text as it would be sent. Secret
   * values are `••••`.
   */
  text?: string;
  type: MessageType;
  /** The currency of the amounts. */
  unit: string;
  /** There if it goes to many and waits for the hours of its line. */
  waitsFor?: "HOURS";
  /** There with `waitsFor`: when the hours begin. */
  waitsUntil?: string;
}

/** A verification. */
export interface Verification {
  /** How many codes may still be checked. */
  attemptsLeft: number;
  clientRef: string | null;
  /** The price of the message that the request has sent, or of all messages so far. */
  cost: number;
  createdAt: string;
  endedAt: string | null;
  /** Until when the code can be checked. */
  expiresAt: string;
  id: string;
  /** The uid of the newest of these messages. `null`: no message was sent. */
  messageUid: string | null;
  purpose: string;
  recipient: string;
  /**
   * From when on `POST /verify` sends the code again, or a new one after the end. `null`: the verification has ended.
   */
  resendAt: string | null;
  /** How many messages have brought the code. */
  sends: number;
  /**
   * `PENDING`: the code can be checked. `APPROVED`: it was right. `FAILED`: as many were wrong as may be. `EXPIRED`:
   * the time is over. `CANCELED`: you have taken it back. `BLOCKED`: no message was sent, because the request looks
   * like fraud; it costs nothing.
   */
  status: "PENDING" | "APPROVED" | "FAILED" | "EXPIRED" | "CANCELED" | "BLOCKED";
  /** Whether a test key has made it: then the code is the last digits of the number, and nobody gets it. */
  test: boolean;
  /** The currency of the amounts. */
  unit: string;
}

/** The pending verifications of a number. */
export interface PendingVerifications {
  /** The newest first. */
  verifications: Verification[];
}

/** What is known of the person who asks for a code. It helps to tell fraud from customers. */
export interface VerifyContext {
  /** The address of the person. */
  ip?: string | null;
}

/** A code to send. */
export interface VerificationInput {
  /**
   * The hash of the Android app that asks for the code: the text ends with it, and the app gets the text. It must not
   * stand beside `domain`.
   */
  appHash?: string | null;
  /** A reference of your own. `GET /messages` finds the message by it. */
  clientRef?: string | null;
  /** How many digits the code has. Left out: `6`. */
  codeLength?: number | null;
  context?: VerifyContext | null;
  /**
   * The domain of the page that asks for the code: the text ends with `@shop.ir #123456`, and browsers offer the code
   * to that page alone (WebOTP).
   */
  domain?: string | null;
  /** The language of the service's own text. Left out: the language in which the service answers the request. */
  language?: "fa" | "en" | null;
  /** How many codes may be tried. Left out: `5`. */
  maxAttempts?: number | null;
  /** The slug of a pattern whose text has `%CODE%`. Left out: a text of the service's own. */
  pattern?: string | null;
  /** What the code is for. A recipient has one pending code for each purpose. Left out: `login`. */
  purpose?: string | null;
  recipient: string;
  /** The line to send from. Left out or empty: the account's default line. */
  sourceNumber?: string | null;
  /** How long the code can be checked, in seconds. Left out: `120`. */
  ttlSeconds?: number | null;
  /** The values of the pattern's other variables, by their names. */
  variables?: Record<string, string | number | null> | null;
}

/** A code to check, by the id of its verification. */
export interface CodeOfId {
  code: string;
  /** The id of the verification. */
  id: string;
  purpose?: null;
  recipient?: null;
}

/** A code to check, by the recipient. */
export interface CodeOfRecipient {
  /** As the person has typed it, in Persian, Arabic or Latin digits. */
  code: string;
  /** What the code is for. Left out: `login`. */
  purpose?: string | null;
  recipient: string;
}

/** A code that a person has typed. */
export type CheckVerification = CodeOfId | CodeOfRecipient;

/** What came of a check. */
export interface VerificationCheck {
  /** How many codes may still be checked. */
  attemptsLeft: number;
  id: string;
  /**
   * If the code was right: a signed token that says so, a JWT. Anybody can check it by the keys of `GET
   * /.well-known/jwks.json`.
   */
  proof?: string;
  purpose: string;
  recipient: string;
  status: "PENDING" | "APPROVED" | "FAILED" | "EXPIRED" | "CANCELED" | "BLOCKED";
  /** Whether the code was right. It is right once. */
  verified: boolean;
}

/** How verifications have ended that have something in common. */
export interface VerifyStatsRow {
  /** How many were approved. */
  approved: number;
  /** How many were blocked, because they looked like fraud. */
  blocked: number;
  /** How many codes were checked. */
  checked: number;
  /** The median of the seconds from the start to the approval. `null`: none was approved. */
  medianSeconds: number | null;
  /**
   * The day of UTC on which they started, the first five digits of their numbers, the line or the carrier of their
   * newest message. Empty for a carrier: none has taken the message.
   */
  name: string;
  /**
   * By `prefix`: until when no code goes to numbers that begin so, because far fewer are approved than usual. `null`:
   * they go.
   */
  pausedUntil: string | null;
  /** How many messages have brought their codes. By `carrier`, each counts under the carrier that has taken it. */
  sent: number;
  /** How many were started. */
  started: number;
}

/** How verifications have ended. */
export interface VerifyStats {
  /** By what they are told apart. */
  by: "day" | "prefix" | "line" | "carrier";
  /** The first day of UTC. */
  from: string;
  /** At most 500: those with the most messages. */
  rows: VerifyStatsRow[];
  /** The last day of UTC. */
  to: string;
}

/** A type of event. */
export type EventType = "message.status" | "message.submitted" | "message.received" | "wallet.low" | "verify.status" | "verify.paused" | "campaign.paused" | "campaign.stopped" | "campaign.done" | "pattern.reviewed" | "webhook.disabled";

/** An endpoint. */
export interface Endpoint {
  /** Whether it gets anything. What waits stays until it is active again. */
  active: boolean;
  createdAt: string;
  /** The key that has made it; `null`: nobody knows. */
  createdBy: string | null;
  description: string | null;
  /**
   * Why Peyk has stopped it: the receiver has answered 410, all attempts have failed for five days, or a key was
   * revoked with what it had made.
   */
  disabledReason: "GONE" | "FAILING" | "KEY_REVOKED" | null;
  /** The types of events that it gets. */
  events: EventType[];
  /** Since when all attempts have failed; `null`: the last one went well, or none was made. */
  failingSince: string | null;
  id: string;
  /**
   * The balance below which it gets `wallet.low`. That of the account if left out; one of both is required for that
   * type.
   */
  lowBalance: number | null;
  /** The mode of the keys that see it. It gets the events of messages of this mode. */
  mode: "live" | "test";
  url: string;
}

/** An endpoint to create. */
export interface EndpointInput {
  /** Left out: `true`. */
  active?: boolean | null;
  /** What it is for. */
  description?: string | null;
  /** The types of events that it gets. */
  events: EventType[];
  /**
   * The balance below which it gets `wallet.low`. That of the account if left out; one of both is required for that
   * type.
   */
  lowBalance?: number | null;
  /** Where your program listens: `https`, with a public host that is not this service's. */
  url: string;
}

/** An endpoint with its secret. */
export interface EndpointWithSecret {
  /** Whether it gets anything. What waits stays until it is active again. */
  active: boolean;
  createdAt: string;
  /** The key that has made it; `null`: nobody knows. */
  createdBy: string | null;
  description: string | null;
  /**
   * Why Peyk has stopped it: the receiver has answered 410, all attempts have failed for five days, or a key was
   * revoked with what it had made.
   */
  disabledReason: "GONE" | "FAILING" | "KEY_REVOKED" | null;
  /** The types of events that it gets. */
  events: EventType[];
  /** Since when all attempts have failed; `null`: the last one went well, or none was made. */
  failingSince: string | null;
  id: string;
  /**
   * The balance below which it gets `wallet.low`. That of the account if left out; one of both is required for that
   * type.
   */
  lowBalance: number | null;
  /** The mode of the keys that see it. It gets the events of messages of this mode. */
  mode: "live" | "test";
  /** What signs the requests. It is answered this one time. */
  secret: string;
  url: string;
}

/** What to change. What is left out stays; `null` takes the description away. */
export interface EndpointChange {
  active?: boolean | null;
  /** What it is for. */
  description?: string | null;
  /** The types of events that it gets. */
  events?: EventType[];
  /**
   * The balance below which it gets `wallet.low`. That of the account if left out; one of both is required for that
   * type.
   */
  lowBalance?: number | null;
  /** Where your program listens: `https`, with a public host that is not this service's. */
  url?: string;
}

/** An event on its way to an endpoint. */
export interface Delivery {
  /** How many attempts were made. */
  attempts: number;
  createdAt: string;
  /** What was wrong with the last attempt. */
  error: "NO_ANSWER" | "REDIRECT" | "STATUS" | "GONE" | "ADDRESS_REFUSED" | "BACKLOG_FULL" | "INTERNAL" | null;
  /** The id of the event, too. */
  id: string;
  lastAttemptAt: string | null;
  nextAttemptAt: string | null;
  /**
   * The first 1,000 characters of what it answered, as plain text: the words of somebody else. `null` for a key that
   * lacks the scope of the event, and when the event has been erased.
   */
  responseBody: string | null;
  /** The HTTP status that the receiver answered last. */
  responseStatus: number | null;
  /** `DROPPED`: too many waited for the endpoint. `NOTED`: it stands only in the log. */
  status: "WAITING" | "DELIVERED" | "FAILED" | "DROPPED" | "NOTED";
  type: "message.status" | "message.submitted" | "message.received" | "wallet.low" | "verify.status" | "verify.paused" | "campaign.paused" | "campaign.stopped" | "campaign.done" | "pattern.reviewed" | "webhook.disabled" | "webhook.test";
}

/** An event on its way to an endpoint, with what its requests have. */
export interface DeliveryWithRequest {
  /** How many attempts were made. */
  attempts: number;
  /** The body of each of its requests, to the byte: what is signed. */
  body: string;
  createdAt: string;
  /** What was wrong with the last attempt. */
  error: "NO_ANSWER" | "REDIRECT" | "STATUS" | "GONE" | "ADDRESS_REFUSED" | "BACKLOG_FULL" | "INTERNAL" | null;
  /** The id of the event, too. */
  id: string;
  lastAttemptAt: string | null;
  nextAttemptAt: string | null;
  /**
   * The first 1,000 characters of what it answered, as plain text: the words of somebody else. `null` for a key that
   * lacks the scope of the event, and when the event has been erased.
   */
  responseBody: string | null;
  /** The HTTP status that the receiver answered last. */
  responseStatus: number | null;
  /** `DROPPED`: too many waited for the endpoint. `NOTED`: it stands only in the log. */
  status: "WAITING" | "DELIVERED" | "FAILED" | "DROPPED" | "NOTED";
  type: "message.status" | "message.submitted" | "message.received" | "wallet.low" | "verify.status" | "verify.paused" | "campaign.paused" | "campaign.stopped" | "campaign.done" | "pattern.reviewed" | "webhook.disabled" | "webhook.test";
  /** The endpoint's address as it is now. */
  url: string;
}

/** A campaign has reached everybody that it could. */
export interface CampaignDoneEvent {
  createdAt: string;
  data: { id: string; reason: CampaignReason | null; state: CampaignState; test: boolean; title: string };
  /** The id of the event. */
  id: string;
  type: "campaign.done";
}

/** A campaign is paused: by its sender, or because it can't go on. */
export interface CampaignPausedEvent {
  createdAt: string;
  data: { id: string; reason: CampaignReason | null; state: CampaignState; test: boolean; title: string };
  /** The id of the event. */
  id: string;
  type: "campaign.paused";
}

/** Its budget, its guard, or what may be spent in a day, has stopped a campaign. */
export interface CampaignStoppedEvent {
  createdAt: string;
  data: { id: string; reason: CampaignReason | null; state: CampaignState; test: boolean; title: string };
  /** The id of the event. */
  id: string;
  type: "campaign.stopped";
}

/** A message has come from a phone. */
export interface MessageReceivedEvent {
  createdAt: string;
  data: { from: string; id: string; line: string; optOut: boolean; receivedAt: string; text: string };
  /** The id of the event. */
  id: string;
  type: "message.received";
}

/** Recipients of a message have come to their ending, or are `UNKNOWN`. */
export interface MessageStatusEvent {
  createdAt: string;
  data: { clientRef: string | null; recipients: { changedAt: string; error?: DeliveryError; recipient: string; simulated?: true; status: RecipientStatus; uid: string }[]; simulated?: true; test: boolean; uid: string };
  /** The id of the event. */
  id: string;
  type: "message.status";
}

/** A carrier has taken recipients of a message. */
export interface MessageSubmittedEvent {
  createdAt: string;
  data: { clientRef: string | null; recipients: { changedAt: string; error?: DeliveryError; recipient: string; simulated?: true; status: RecipientStatus; uid: string }[]; simulated?: true; test: boolean; uid: string };
  /** The id of the event. */
  id: string;
  type: "message.submitted";
}

/** An operator has approved or refused a version of a pattern. */
export interface PatternReviewedEvent {
  createdAt: string;
  data: { reason: string | null; slug: string; status: "ACTIVE" | "REFUSED"; version: number };
  /** The id of the event. */
  id: string;
  type: "pattern.reviewed";
}

/** Far fewer codes to numbers that begin alike are approved than usual: none starts for a while. */
export interface VerifyPausedEvent {
  createdAt: string;
  data: { approved: number; ended: number; prefix: string; until: string };
  /** The id of the event. */
  id: string;
  type: "verify.paused";
}

/** A verification has ended. */
export interface VerifyStatusEvent {
  createdAt: string;
  data: { clientRef: string | null; id: string; purpose: string; recipient: string; status: "APPROVED" | "FAILED" | "EXPIRED" | "CANCELED" | "BLOCKED"; test: boolean };
  /** The id of the event. */
  id: string;
  type: "verify.status";
}

/** The available balance has fallen below the endpoint's `lowBalance`, or the account's. */
export interface WalletLowEvent {
  createdAt: string;
  data: { availableBalance: number; threshold: number };
  /** The id of the event. */
  id: string;
  type: "wallet.low";
}

/** Peyk has stopped another endpoint of the account. */
export interface WebhookDisabledEvent {
  createdAt: string;
  data: { endpoint: string; reason: "GONE" | "FAILING"; url: string };
  /** The id of the event. */
  id: string;
  type: "webhook.disabled";
}

/** Somebody has called `POST /webhook/{id}/test`. */
export interface WebhookTestEvent {
  createdAt: string;
  data: { endpoint: string };
  /** The id of the event. */
  id: string;
  type: "webhook.test";
}

/** An event of a webhook. Its `type` says what its `data` are. There may be types that this version does not know. */
export type WebhookEvent = CampaignDoneEvent | CampaignPausedEvent | CampaignStoppedEvent | MessageReceivedEvent | MessageStatusEvent | MessageSubmittedEvent | PatternReviewedEvent | VerifyPausedEvent | VerifyStatusEvent | WalletLowEvent | WebhookDisabledEvent | WebhookTestEvent;
