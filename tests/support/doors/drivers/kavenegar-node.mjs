// npm's kavenegar. A line: {"client": <API key>, "call": "Send", "args": [{…}]}. The library has one callback for all: it
// gets the entries, the status and the message.
import kavenegar from "kavenegar";
import { answer } from "./lines.mjs";

// The library tells with this of an answer that it can't read. The standard output has the lines of the driver only.
console.log = console.error;

await answer(({ client, call, args }) => {
  const api = kavenegar.KavenegarApi({ apikey: client });
  const given = args.length > 0 ? args : [{}];
  return new Promise((resolve) =>
    api[call](...given, (entries, status, message) => resolve({ entries, status, message })),
  );
});
