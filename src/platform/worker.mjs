// The entry module of the worker. The runtime allows method calls only on classes that extend its own DurableObject.
// The classes that the build makes from Rust structs do not extend it, so the classes here wrap them. A method call
// costs half as much as a request with a response.
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
