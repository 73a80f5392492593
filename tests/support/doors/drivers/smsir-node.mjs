// npm's sms-typescript. A line: {"client": [<API key>, <line>], "call": "sendBulk", "args": [...]}.
import { createRequire } from "node:module";
import { answer } from "./lines.mjs";

// Node.js can't `import` the library: the files that it exports for that are no modules to Node.js.
const { Smsir } = createRequire(import.meta.url)("sms-typescript");

await answer(({ client: [key, line], call, args }) => new Smsir(key, line)[call](...args));
