// How the official libraries of sms.ir name their calls, and how they show answers.

const ok = "موفق";

/** How each library makes a call, shows its data, and tells an error. What a library lacks has no name here. */
export const styles = {
  "smsir-python": {
    calls: {
      bulk: ({ text, mobiles, line }) => ["send_bulk_sms", mobiles, text, line ?? null],
      likeToLike: ({ texts, mobiles, line, at }) => ["send_like_to_like", mobiles, texts, line ?? null, at ?? null],
      verify: ({ mobile, template, parameters }) => ["send_verify_code", mobile, template, parameters],
      cancel: (pack) => ["delete_scheduled", pack],
      report: (id) => ["report_message", id],
      pack: (pack) => ["report_pack", pack],
      today: (number, size) => ["report_today", size, number],
      archive: (from, to, number, size) => ["report_archived", from, to, size, number],
      latest: (count) => ["report_latest_received", count],
      received: (number, size) => ["report_today_received", size, number],
      receivedBefore: (from, to, number, size) => ["report_archived_received", from, to, size, number],
      credit: () => ["get_credit"],
      lines: () => ["get_line_numbers"],
    },
    dataOf: ({ value }) => (value?.status === 200 && value.body.message === ok ? value.body.data : undefined),
    /** The library raises nothing: its user looks at the response. */
    refusal: ({ value }) => ({ http: value.status, message: value.body.message, status: value.body.status }),
    expected: (http, status, message) => ({ http, message, status }),
  },
  "smsir-node": {
    calls: {
      bulk: ({ text, mobiles, line, at }) => ["sendBulk", text, mobiles, at, line],
      likeToLike: ({ texts, mobiles, line, at }) => ["sendLikeToLike", texts, mobiles, at, line],
      verify: ({ mobile, template, parameters }) => ["sendVerifyCode", mobile, template, parameters],
      byUrl: ({ mobile, text }) => ["sendByURL", "shop", mobile, text],
      cancel: (pack) => ["deleteScheduled", pack],
      report: (id) => ["reportMessage", id],
      packs: (number, size) => ["reportDailyPack", number, size],
      pack: (pack) => ["reportPackById", pack],
      today: (number, size) => ["reportTodayLive", number, size],
      archive: (...args) => ["reportArchive", ...args],
      latest: (count) => ["reportLatestReceive", count],
      received: (number, size, newestFirst = false) => ["reportReceiveLive", number, size, newestFirst],
      receivedBefore: (...args) => ["reportReceiveArchive", ...args],
      credit: () => ["getCredit"],
      lines: () => ["getLineNumbers"],
    },
    dataOf: ({ value }) => (value?.status === 1 && value.message === ok ? value.data : undefined),
    refusal: ({ error }) => error,
    expected: (http, _, message) => ({ class: "Error", message: `HTTP error! status: ${http} - ${message}` }),
  },
};
