// Peyk with a clock that can be set back. `PUT /clock?behind=…` says by how many ms it is behind, for the worker and its objects.
import worker, * as built from "../../../build/worker.mjs";

const Now = Date;
let behindMs = 0;

globalThis.Date = class extends Now {
  constructor(...parts) {
    super(...(parts.length > 0 ? parts : [Now.now() - behindMs]));
  }

  static now() {
    return Now.now() - behindMs;
  }
};

/** How long an object sleeps at most before it looks again whether its alarm is due, ms. */
const NAP_MS = 20;
/** When the alarm of a storage is due, by the clock of this worker. */
const due = new WeakMap();

/** The runtime rings alarms by its own clock, and does not know when this one jumps. So objects wake often, and look. */
function shiftAlarms(storage) {
  const prototype = Object.getPrototypeOf(storage);
  if (prototype.isShifted) return;
  const { setAlarm } = prototype;
  prototype.isShifted = true;
  prototype.setAlarm = function (time, ...more) {
    due.set(this, Number(time));
    return setAlarm.call(this, Math.min(Number(time) + behindMs, Now.now() + NAP_MS), ...more);
  };
}

const shifted = (Class) =>
  class extends Class {
    constructor(state, env) {
      shiftAlarms(state.storage);
      super(state, env);
      this.storage = state.storage;
    }

    async alarm(...about) {
      const time = due.get(this.storage);
      if (time > Date.now()) return this.storage.setAlarm(time);
      return super.alarm(...about);
    }
  };

export const Account = shifted(built.Account);
export const Carrier = shifted(built.Carrier);
export const Webhook = shifted(built.Webhook);

export default class extends worker {
  fetch(request) {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname !== "/clock") return super.fetch(request);
    behindMs = Number(searchParams.get("behind"));
    return new Response();
  }
}
