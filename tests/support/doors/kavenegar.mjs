// How the official libraries of Kavenegar name their calls, and how they show answers.

const nodeNames = {
  request: "request",
  "sms/send": "Send",
  "sms/sendarray": "SendArray",
  "sms/status": "Status",
  "sms/statuslocalmessageid": "StatusLocalMessageid",
  "sms/select": "Select",
  "sms/selectoutbox": "SelectOutbox",
  "sms/latestoutbox": "LatestOutbox",
  "sms/countoutbox": "CountOutbox",
  "sms/cancel": "Cancel",
  "sms/receive": "Receive",
  "sms/countinbox": "CountInbox",
  "sms/countpostalcode": "CountPostalCode",
  "sms/sendbypostalcode": "SendByPostalCode",
  "verify/lookup": "VerifyLookup",
  "account/info": "AccountInfo",
  "account/config": "AccountConfig",
  "call/maketts": "CallMakeTTS",
};

/** How each library calls a method, gives its entries, and tells an error. */
export const styles = {
  "kavenegar-python": {
    nameOf: (method) => (method === "request" ? "_request" : method.replace("/", "_")),
    success: (entries) => ({ value: entries }),
    entriesOf: ({ value }) => value,
    failure: (status, text) => ({ error: { class: "APIException", message: `APIException[${status}] ${text}` } }),
  },
  "kavenegar-node": {
    nameOf: (method) => nodeNames[method],
    success: (entries) => ({ value: { entries, status: 200, message: "تایید شد" } }),
    entriesOf: ({ value }) => value.entries,
    failure: (status, text) => ({ value: { entries: null, status, message: text } }),
  },
};
