// After a panic or a trap nothing holds in the memory of the WebAssembly. So the next call starts a new instance, and each
// object is made anew in it as soon as something is asked of it.
import * as rust from "./index.js";

// The stacks of Rust are deep.
Error.stackTraceLimit = 100;

/**
 * What the crate `worker` knows of the instance. `criticalError`: it has broken; Rust sets it when it panics. `instanceId` is
 * another number for each instance.
 */
const state = rust.__worker_init_state();

// What ends in a trap without a caller.
addEventListener("error", ({ error }) => notice(error));

function notice(error) {
  if (!(error instanceof WebAssembly.RuntimeError)) return;
  console.error("Critical", error);
  state.criticalError = true;
}

/** Calls Rust, in a new instance if the one of before has broken. */
export function enter(call) {
  if (state.criticalError) {
    console.log("Starting a new instance of the WebAssembly");
    rust.__wbg_reset_state();
    state.criticalError = false;
    state.instanceId += 1;
  }
  try {
    return call();
  } catch (error) {
    notice(error);
    throw error;
  }
}

/** Calls `settle` of Rust with this number when a promise settles, unless the instance that waits for it has broken. */
export function wait(promise, number) {
  const { instanceId } = state;
  const settle = (value, isKept) => {
    if (!state.criticalError && instanceId === state.instanceId) enter(() => rust.settle(number, value, isKept));
  };
  promise.then(
    (value) => settle(value, true),
    (error) => settle(error, false),
  );
}

/**
 * An object of a class of Rust. Its members are those of the object in the instance of now. A method looks there for its memory too,
 * because the instance may change after the method has begun: the bindings start a new one before they enter it.
 */
export function lasting(Built, ...args) {
  let made = make(Built, args);
  let instanceId = state.instanceId;
  const current = () => {
    if (instanceId !== state.instanceId) {
      made = make(Built, args);
      instanceId = state.instanceId;
    }
    return made;
  };
  return new Proxy({}, { get: (_, name, receiver) => Reflect.get(current(), name, receiver) });
}

/** An object that can't be made has broken the instance, as far as anybody knows. */
function make(Built, args) {
  try {
    return enter(() => new Built(...args));
  } catch (error) {
    state.criticalError = true;
    throw error;
  }
}
