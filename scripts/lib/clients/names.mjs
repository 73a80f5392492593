// How the client libraries differ from openapi.json: what they call by another name, and what they do by hand.

/** Methods that have a shorter name than their operation. */
export const aliases = { sendSms: "send", sendToPhonebook: "sendPhonebook", estimateSend: "estimate" };

/** Types that have another name than their schema: a name that is shorter, or that no language has already. */
export const typeNames = {
  SendSms: "Send",
  SendPattern: "PatternSend",
  SendToPhonebook: "PhonebookSend",
  SendBulk: "BulkSend",
  EstimateSend: "EstimateRequest",
  MessageDetail: "Message",
  Message: "MessageSummary",
  Recipient: "SentRecipient",
  RecipientState: "Recipient",
  Wallet: "Balance",
  Refusal: "EstimateFault",
  Number: "PhonebookNumber",
  Numbers: "NumberList",
};

/** What a method does, where it does less than its operation. */
export const summaries = {
  listTransactions:
    "Lists the entries of the account's ledger, newest first. Filters: `type`, `from`, `to`, `message`. " +
    "`exportTransactions` has them as a file.",
  listRecipients:
    "Lists the recipients of a message. Filters: `status`, `recipient`, `error`. `request` has them as a file, with `format=csv`.",
  listCampaignRecipients:
    "Lists the people of a campaign, wave by wave, with what became of each. Filters: `status`, `recipient`, `error`. " +
    "`request` has them as a file, with `format=csv`.",
};

/** Operations whose methods are written by hand, because they do more than to pass their arguments on. */
export const byHand = new Set([
  "sendSms",
  "sendPattern",
  "sendToPhonebook",
  "sendBulk",
  "startErasure",
  "importNumbers",
  "exportNumbers",
]);

/** Operations without a method. They are for browsers: a program has nothing from them. */
export const leftOut = new Set([
  "getHome",
  "startSignIn",
  "checkSignIn",
  "useConsoleLink",
  "switchConsoleAccount",
  "startPasskey",
  "signInByPasskey",
  "listPasskeys",
  "addPasskey",
  "renamePasskey",
  "removePasskey",
]);

/** Operations by `POST` that may be repeated: the second time changes nothing more, and succeeds too. */
export const repeatable = new Set([
  "estimateSend",
  "findRecipients",
  "startErasure",
  "addToBlacklist",
  "addNumbers",
  "importNumbers",
  "activatePatternVersion",
  "deactivatePattern",
]);
