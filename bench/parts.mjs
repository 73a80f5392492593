import { measureBulk } from "./bulk.mjs";
import { measureDoors } from "./doors.mjs";
import { measureIsolate } from "./isolate.mjs";
import { measureLatency } from "./latency.mjs";
import { measureMillion } from "./million.mjs";
import { measurePhonebooks } from "./phonebooks.mjs";
import { measureServe } from "./serve.mjs";
import { measureSingles } from "./singles.mjs";
import { measureSmpp } from "./smpp.mjs";
import { measureVerify } from "./verify.mjs";
import { measureWebhooks } from "./webhooks.mjs";

/** In this order. What is to be measured without load stands first; the last one ends Peyk. */
export const parts = {
  isolate: measureIsolate,
  latency: measureLatency,
  phonebooks: measurePhonebooks,
  singles: measureSingles,
  doors: measureDoors,
  bulk: measureBulk,
  verify: measureVerify,
  smpp: measureSmpp,
  webhooks: measureWebhooks,
  serve: measureServe,
  million: measureMillion,
};
