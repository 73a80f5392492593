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

/** The runtime rings alarms by its own clock. */
function shiftAlarms(storage) {
  const prototype = Object.getPrototypeOf(storage);
  if (prototype.isShifted) return;
  const { setAlarm, getAlarm } = prototype;
  prototype.isShifted = true;
  prototype.setAlarm = function (time, ...more) {
    return setAlarm.call(this, Number(time) + behindMs, ...more);
  };
  prototype.getAlarm = async function (...more) {
    const time = await getAlarm.apply(this, more);
    return time === null ? null : time - behindMs;
  };
}

const shifted = (Class) =>
  class extends Class {
    constructor(state, env) {
      shiftAlarms(state.storage);
      super(state, env);
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
