// Made by `npm run clients` from openapi.json.
import { type CallOptions, Transport } from "./transport.mjs";
import type {
  AccountInfo,
  AccountMemberChange,
  AccountMemberInput,
  AccountSettings,
  AccountSettingsInput,
  AddNumbers,
  AddedNumbers,
  AddedToPhonebook,
  BlockedNumber,
  Campaign,
  CampaignChange,
  CampaignDetail,
  CampaignInput,
  CanceledMessage,
  Cascade,
  CheckVerification,
  ConsoleLink,
  ConsoleSession,
  Delivery,
  DeliveryWithRequest,
  Endpoint,
  EndpointChange,
  EndpointInput,
  EndpointWithSecret,
  Erasure,
  Estimate,
  EstimateRequest,
  FoundRecipients,
  Health,
  Held,
  InboundMessage,
  InboundToTake,
  IssuedKey,
  LinkInput,
  LowBalance,
  LowBalanceInput,
  Member,
  Message,
  MessageSummary,
  NumberChange,
  NumberList,
  Outcomes,
  OwnKey,
  OwnKeyInput,
  OwnLine,
  Pattern,
  PatternChange,
  PatternInput,
  PatternVersion,
  PatternVersionInput,
  PendingVerifications,
  Phonebook,
  PhonebookChange,
  PhonebookChangeById,
  PhonebookInput,
  PhonebookNumber,
  ProofKeys,
  Recipient,
  RecipientsToFind,
  RemovedNumbers,
  RotatedKey,
  Rotation,
  SignInRule,
  SignInRuleInput,
  TakenInbound,
  Tariff,
  Transaction,
  Unsent,
  UsageDay,
  Verification,
  VerificationCheck,
  VerificationInput,
  VerifyStats,
} from "./types.d.mts";

/** A method for each operation of the API. */
export declare class Operations extends Transport {
  /** Returns the keys that check proofs, as a JWK Set (RFC 7517). */
  getProofKeys(options?: CallOptions): Promise<ProofKeys>;
  /** Returns the wallet, the status and the plan of the account. */
  getAccountInfo(options?: CallOptions): Promise<AccountInfo>;
  /** Changes what the account decides for itself: `{"timeZone"?}`. */
  changeAccountInfo(body: AccountSettingsInput, options?: CallOptions): Promise<AccountSettings>;
  /** Returns the balance below which the account's endpoints get `wallet.low`. */
  getLowBalance(options?: CallOptions): Promise<LowBalance>;
  /**
   * Sets the balance below which the endpoints without a `lowBalance` of their own get `wallet.low`: `{"lowBalance"}`.
   */
  setLowBalance(body: LowBalanceInput, options?: CallOptions): Promise<LowBalance>;
  /** Says how the newest messages have ended, by mobile operator, and why some have not arrived. Filter: `from`. */
  getOutcomes(options?: CallOptions & { from?: string }): Promise<Outcomes>;
  /**
   * Lists the entries of the account's ledger, newest first. Filters: `type`, `from`, `to`, `message`.
   * `exportTransactions` has them as a file.
   */
  listTransactions(options?: CallOptions & { type?: "CREDIT" | "RESERVE" | "SETTLE" | "RELEASE" | "REFUND"; from?: string; to?: string; message?: string }): AsyncGenerator<Transaction, void>;
  /** Says how many recipients have not left yet, and on which lines they wait longer than they should. */
  getUnsent(options?: CallOptions): Promise<Unsent>;
  /** Counts what the account has sent, by day and by key, newest first. Filters: `from`, `to`. */
  listUsage(options?: CallOptions & { from?: string; to?: string }): AsyncGenerator<UsageDay, void>;
  /** Lists the numbers on the blacklist. Filter: `number`. */
  listBlacklist(options?: CallOptions & { number?: string }): AsyncGenerator<BlockedNumber, void>;
  /** Adds numbers to the blacklist: `{"numbers"}`. */
  addToBlacklist(body: NumberList, options?: CallOptions): Promise<AddedNumbers>;
  /** Removes numbers from the blacklist: `{"numbers"}`, or `number` in the query. */
  removeFromBlacklist(body?: NumberList | null, options?: CallOptions & { number?: string }): Promise<RemovedNumbers>;
  /** Lists the campaigns, newest first. */
  listCampaigns(options?: CallOptions): AsyncGenerator<Campaign, void>;
  /** Makes a campaign of a text or a pattern to phonebooks, and counts its people. */
  createCampaign(body: CampaignInput, options?: CallOptions): Promise<CampaignDetail>;
  /** Returns a campaign: what it sends to whom, and what it has come to so far. */
  getCampaign(id: string, options?: CallOptions): Promise<CampaignDetail>;
  /** Changes a campaign. */
  changeCampaign(id: string, body: CampaignChange, options?: CallOptions): Promise<CampaignDetail>;
  /** Deletes a campaign that was not started or has ended. Its messages stay. */
  deleteCampaign(id: string, options?: CallOptions): Promise<void>;
  /** Ends a campaign for good. What has not left of its newest wave is canceled, and paid back. */
  cancelCampaign(id: string, options?: CallOptions): Promise<CampaignDetail>;
  /**
   * Pauses a campaign: nothing more of it leaves until it is resumed. The wave that is on its way is paused with it.
   */
  pauseCampaign(id: string, options?: CallOptions): Promise<CampaignDetail>;
  /**
   * Lists the people of a campaign, wave by wave, with what became of each. Filters: `status`, `recipient`, `error`.
   * `request` has them as a file, with `format=csv`.
   */
  listCampaignRecipients(id: string, options?: CallOptions & { status?: "SCHEDULED" | "QUEUED" | "UNKNOWN" | "SUBMITTED" | "DELIVERED" | "UNDELIVERED" | "EXPIRED" | "REJECTED" | "CANCELED" | "SKIPPED"; recipient?: string; error?: "ABSENT_SUBSCRIBER" | "UNKNOWN_SUBSCRIBER" | "BLOCKED" | "CONTENT_REFUSED" | "SENDER_REFUSED" | "EXPIRED" | "NO_REPORT" | "BLACKLISTED" | "NOT_A_DESTINATION" | "TEXT_NOT_SENDABLE" | "RECIPIENT_LIMIT" | "CARRIER_ERROR" }): AsyncGenerator<Recipient, void>;
  /**
   * Makes the resend of a campaign that has ended: another campaign, to those whom it certainly did not reach. Asked
   * again, it answers the same one.
   */
  resendCampaign(id: string, options?: CallOptions): Promise<CampaignDetail>;
  /** Lets a campaign go on that is paused or was stopped. Its waves count for this key from now on. */
  resumeCampaign(id: string, options?: CallOptions): Promise<CampaignDetail>;
  /** Starts a campaign: at once, or at its time. Started again, it stays as it is. */
  startCampaign(id: string, options?: CallOptions): Promise<CampaignDetail>;
  /** Makes a link that opens one session of the console for the key of the request: `{"ttlSeconds"?}`. */
  makeConsoleLink(body: LinkInput, options?: CallOptions): Promise<ConsoleLink>;
  /** Says who is signed in. */
  getConsoleSession(options?: CallOptions): Promise<ConsoleSession>;
  /** Opens a session of the console for the key of the request, in a cookie. */
  openConsoleSession(options?: CallOptions): Promise<void>;
  /** Ends the session and its cookie. `?everywhere=true`: all sessions of the same key. */
  endConsoleSession(options?: CallOptions & { everywhere?: boolean }): Promise<void>;
  /** Lists the orders to erase a number. */
  listErasures(options?: CallOptions): AsyncGenerator<Erasure, void>;
  /** Returns an order to erase a number: whether it is done, and what it has met. */
  getErasure(id: string, options?: CallOptions): Promise<Erasure>;
  /** Says that the service is up, and its version. */
  getHealth(options?: CallOptions): Promise<Health>;
  /** Tells what the account has on a number: `number` in the query. */
  getHeld(options: CallOptions & { number: string }): Promise<Held>;
  /** Lists what phones have sent to the account, newest first. Filters: `line`, `from`, `since`, `until`, `taken`. */
  listInbound(options?: CallOptions & { line?: string; from?: string; since?: string; until?: string; taken?: boolean }): AsyncGenerator<InboundMessage, void>;
  /**
   * Returns the oldest messages from phones that were not taken before, and marks them as taken: `{"line"?,
   * "limit"?}`.
   */
  takeInbound(body: InboundToTake, options?: CallOptions): Promise<TakenInbound>;
  /** Lists the keys of the account, newest first. */
  listKeys(options?: CallOptions): AsyncGenerator<OwnKey, void>;
  /**
   * Issues a key that has no more than the caller's: `{"title", "scopes"?, "expiresAt"?, "lines"?, "mode"?, "ips"?,
   * "ratePerMinute"?, "dailySpend"?}`. Shows it once.
   */
  issueKey(body: OwnKeyInput, options?: CallOptions): Promise<IssuedKey>;
  /** Revokes a key that has no more than the caller's, at once. `?cascade=true`: with all that comes from it. */
  revokeKey(id: string, options?: CallOptions & { cascade?: boolean }): Promise<Cascade | null>;
  /**
   * Replaces a key that has no more than the caller's. The old one works for `graceSeconds` more, a day if left out.
   */
  rotateKey(id: string, body: Rotation, options?: CallOptions): Promise<RotatedKey>;
  /** Lists the lines that the caller may send from. */
  listLines(options?: CallOptions): AsyncGenerator<OwnLine, void>;
  /** Lists the members of the account, newest first. */
  listMembers(options?: CallOptions): AsyncGenerator<Member, void>;
  /** Admits a person who signs in to the console, and sends an invitation: `{"phone", "name", "role", "invite"?}`. */
  addMember(body: AccountMemberInput, options?: CallOptions): Promise<Member>;
  /** Returns what members need to sign in. */
  getSignInRule(options?: CallOptions): Promise<SignInRule>;
  /** Sets what members need to sign in: `{"require"}`. */
  setSignInRule(body: SignInRuleInput, options?: CallOptions): Promise<SignInRule>;
  /**
   * Changes the `name` or the `role` of a member, but nobody their own role. With the role, all sessions of the person
   * end.
   */
  changeMember(id: string, body: AccountMemberChange, options?: CallOptions): Promise<Member>;
  /** Lets a member go. All sessions of the person end. `?cascade=true`: with all that comes from the person. */
  removeMember(id: string, options?: CallOptions & { cascade?: boolean }): Promise<Cascade | null>;
  /** Sends a member who has not joined yet the invitation again. */
  inviteMember(id: string, options?: CallOptions): Promise<Member>;
  /** Makes a link that signs a member in, once: `{"ttlSeconds"?}`. */
  makeMemberLink(id: string, body: LinkInput, options?: CallOptions): Promise<ConsoleLink>;
  /** Lists messages, newest first. Filters: `status`, `type`, `from`, `to`, `recipient`, `clientRef`. */
  listMessages(options?: CallOptions & { status?: "SCHEDULED" | "QUEUED" | "SENDING" | "DONE" | "CANCELED"; type?: "PLAIN" | "PATTERN" | "PHONEBOOK" | "BULK" | "VERIFY" | "SIGN_IN"; from?: string; to?: string; recipient?: string; clientRef?: string }): AsyncGenerator<MessageSummary, void>;
  /**
   * Returns up to 500 recipients of any messages, by their uids or by your references: `{"recipients"}` or
   * `{"clientRefs"}`.
   */
  findRecipients(body: RecipientsToFind, options?: CallOptions): Promise<FoundRecipients>;
  /** Returns a message with its counts by status and its first 100 recipients. */
  getMessage(uid: string, options?: CallOptions): Promise<Message>;
  /** Cancels what has not left of a message, and releases its money. */
  cancelMessage(uid: string, options?: CallOptions): Promise<CanceledMessage>;
  /** Pauses a message: nothing more of it leaves until it is resumed. Its money stays reserved. */
  pauseMessage(uid: string, options?: CallOptions): Promise<Message>;
  /**
   * Lists the recipients of a message. Filters: `status`, `recipient`, `error`. `request` has them as a file, with
   * `format=csv`.
   */
  listRecipients(uid: string, options?: CallOptions & { status?: "SCHEDULED" | "QUEUED" | "UNKNOWN" | "SUBMITTED" | "DELIVERED" | "UNDELIVERED" | "EXPIRED" | "REJECTED" | "CANCELED" | "SKIPPED"; recipient?: string; error?: "ABSENT_SUBSCRIBER" | "UNKNOWN_SUBSCRIBER" | "BLOCKED" | "CONTENT_REFUSED" | "SENDER_REFUSED" | "EXPIRED" | "NO_REPORT" | "BLACKLISTED" | "NOT_A_DESTINATION" | "TEXT_NOT_SENDABLE" | "RECIPIENT_LIMIT" | "CARRIER_ERROR" }): AsyncGenerator<Recipient, void>;
  /** Lets a paused message go on. One that is not paused stays as it is. */
  resumeMessage(uid: string, options?: CallOptions): Promise<Message>;
  /** Lists the patterns, each with its active version and its newest. */
  listPatterns(options?: CallOptions): AsyncGenerator<Pattern, void>;
  /** Creates a pattern: `{"slug"?, "title", "lines"?, "text"?, "variables"?}`. */
  createPattern(body: PatternInput, options?: CallOptions): Promise<Pattern>;
  /** Returns a pattern with all of its versions. */
  getPattern(slug: string, options?: CallOptions): Promise<Pattern>;
  /** Changes the `title` or the `lines` of a pattern. */
  changePattern(slug: string, body: PatternChange, options?: CallOptions): Promise<Pattern>;
  /** Deletes a pattern without an active version. */
  deletePattern(slug: string, options?: CallOptions): Promise<void>;
  /** Retires the active version of a pattern. */
  deactivatePattern(slug: string, options?: CallOptions): Promise<Pattern>;
  /** Adds a version to a pattern: `{"text", "variables"?}`. */
  createPatternVersion(slug: string, body: PatternVersionInput, options?: CallOptions): Promise<PatternVersion>;
  /** Activates a version of a pattern and retires the active one. */
  activatePatternVersion(slug: string, n: number, options?: CallOptions): Promise<Pattern>;
  /** Lists the phonebooks. */
  listPhonebooks(options?: CallOptions): AsyncGenerator<Phonebook, void>;
  /** Creates a phonebook: `{"title", "description"?}`. */
  createPhonebook(body: PhonebookInput, options?: CallOptions): Promise<Phonebook>;
  /** Changes the phonebook whose `id` is in the body. */
  changePhonebookInBody(body: PhonebookChangeById, options?: CallOptions): Promise<Phonebook>;
  /** Deletes the phonebook whose `id` is in the query. */
  deletePhonebookInQuery(options: CallOptions & { id: string }): Promise<void>;
  /** Lists the numbers of a phonebook. Filter: `q`, with which the number or the name begins. */
  listNumbers(phonebookId: string, options?: CallOptions & { q?: string }): AsyncGenerator<PhonebookNumber, void>;
  /** Adds or updates numbers: `{"number", "name"?, "attributes"?}`, or `{"numbers": [… ≤ 1,000]}`. */
  addNumbers(phonebookId: string, body: AddNumbers, options?: CallOptions): Promise<AddedToPhonebook>;
  /** Changes a number of a phonebook, its name or its attributes. */
  changeNumber(phonebookId: string, numberId: number, body: NumberChange, options?: CallOptions): Promise<PhonebookNumber>;
  /** Deletes a number of a phonebook. */
  deleteNumber(phonebookId: string, numberId: number, options?: CallOptions): Promise<void>;
  /** Returns a phonebook. */
  getPhonebook(id: string, options?: CallOptions): Promise<Phonebook>;
  /** Changes the title or the description of a phonebook. */
  changePhonebook(id: string, body: PhonebookChange, options?: CallOptions): Promise<Phonebook>;
  /** Deletes a phonebook with its numbers. */
  deletePhonebook(id: string, options?: CallOptions): Promise<void>;
  /** Returns the price of one part and the coefficients of each line. */
  getTariff(options?: CallOptions): Promise<Tariff>;
  /**
   * Says what a send would cost. `faults` lists the refusals that depend on the account (1003, 3011, 3016, 3018, 2002,
   * 2001).
   */
  estimate(body: EstimateRequest, options?: CallOptions): Promise<Estimate>;
  /** Finds the pending verifications of a number, newest first: `recipient`, `purpose`. */
  findVerifications(options: CallOptions & { recipient: string; purpose?: string }): Promise<PendingVerifications>;
  /** Makes a code and sends it to a number, or sends the pending code again. */
  startVerification(body: VerificationInput, options?: CallOptions): Promise<Verification>;
  /** Checks a code that a person has typed. */
  checkVerification(body: CheckVerification, options?: CallOptions): Promise<VerificationCheck>;
  /** Tells how verifications have ended, by day, first digits of numbers, line or carrier. */
  getVerifyStats(options?: CallOptions & { from?: string; to?: string; by?: "day" | "prefix" | "line" | "carrier" }): Promise<VerifyStats>;
  /** Returns a verification. */
  getVerification(id: string, options?: CallOptions): Promise<Verification>;
  /** Takes a verification back. What has not left of its messages is canceled. */
  cancelVerification(id: string, options?: CallOptions): Promise<Verification>;
  /** Lists the endpoints, newest first. */
  listWebhooks(options?: CallOptions): AsyncGenerator<Endpoint, void>;
  /** Creates an endpoint for events: `{"url", "events", "lowBalance"?, "description"?}`. Shows its secret once. */
  createWebhook(body: EndpointInput, options?: CallOptions): Promise<EndpointWithSecret>;
  /** Returns an endpoint. */
  getWebhook(id: string, options?: CallOptions): Promise<Endpoint>;
  /** Changes `url`, `events`, `lowBalance`, `description` or `active` of an endpoint. */
  changeWebhook(id: string, body: EndpointChange, options?: CallOptions): Promise<Endpoint>;
  /** Deletes an endpoint with its log. */
  deleteWebhook(id: string, options?: CallOptions): Promise<void>;
  /** Lists what was sent to an endpoint in the last 30 days, newest first. */
  listDeliveries(id: string, options?: CallOptions): AsyncGenerator<Delivery, void>;
  /** Returns what was sent to an endpoint, with the body of the request. */
  getDelivery(id: string, deliveryId: string, options?: CallOptions): Promise<DeliveryWithRequest>;
  /** Sends an event to an endpoint again, with the same id. */
  redeliverEvent(id: string, deliveryId: string, options?: CallOptions): Promise<Delivery>;
  /** Gives an endpoint a new secret and shows it once. The old one signs too for a day. */
  rotateWebhookSecret(id: string, options?: CallOptions): Promise<EndpointWithSecret>;
  /** Sends an event of type `webhook.test` to an endpoint. */
  testWebhook(id: string, options?: CallOptions): Promise<Delivery>;
}
