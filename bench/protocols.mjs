// A send as a program writes it: by our own API, and by each door. All of them ask for the same.
const form = "application/x-www-form-urlencoded";
const json = "application/json";
const basic = (key) => `Basic ${Buffer.from(`AC${"0".repeat(32)}:${key}`).toString("base64")}`;
const inSeconds = (time) => Math.floor(Date.parse(time) / 1_000);

/** Each makes the path, the headers and the body of a send from a key, a text, a line, the recipients, and when it is to go. */
export const protocols = {
  own: ({ key, ...send }) => ({
    path: "/sms/send",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": json },
    body: JSON.stringify(send),
  }),
  kavenegar: ({ key, message, recipients, sourceNumber, sendAt }) => ({
    path: `/v1/${key}/sms/send.json`,
    headers: { "Content-Type": form },
    body: String(
      new URLSearchParams({
        receptor: recipients.join(","),
        message,
        sender: sourceNumber,
        ...(sendAt && { date: inSeconds(sendAt) }),
      }),
    ),
  }),
  ippanel: ({ key, message, recipients, sourceNumber, sendAt }) => ({
    path: "/api/v1/sms/send/webservice/single",
    headers: { apikey: key, "Content-Type": json },
    body: JSON.stringify({ sender: sourceNumber, recipient: recipients, message, time: sendAt }),
  }),
  smsir: ({ key, message, recipients, sourceNumber, sendAt }) => ({
    path: "/v1/send/bulk",
    headers: { "X-API-KEY": key, "Content-Type": json },
    body: JSON.stringify({
      lineNumber: Number(sourceNumber),
      messageText: message,
      mobiles: recipients,
      sendDateTime: sendAt && inSeconds(sendAt),
    }),
  }),
  twilio: ({ key, message, recipients: [to], sourceNumber, sendAt }) => ({
    path: `/2010-04-01/Accounts/AC${"0".repeat(32)}/Messages.json`,
    headers: { Authorization: basic(key), "Content-Type": form },
    body: String(
      new URLSearchParams({
        To: to,
        From: sourceNumber,
        Body: message,
        ...(sendAt && { SendAt: sendAt, ScheduleType: "fixed", MessagingServiceSid: `MG${"0".repeat(32)}` }),
      }),
    ),
  }),
};
