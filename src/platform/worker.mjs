// The worker's entry. The runtime lets others call methods of an object only on classes that derive from its own DurableObject,
// which what the build makes of a Rust struct does not; and a method call costs half of a request with a response.
import { DurableObject } from "cloudflare:workers";
import worker, * as built from "./index.js";

const callable = (Built) =>
  class extends DurableObject {
    #object;

    constructor(state, env) {
      super(state, env);
      this.#object = new Built(state, env);
    }

    ask(call) {
      return this.#object.ask(call);
    }

    alarm() {
      return this.#object.alarm();
    }
  };

export const Account = callable(built.Account);
export const Carrier = callable(built.Carrier);
export default worker;
