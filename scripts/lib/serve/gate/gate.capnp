# The runtime that has the public socket: the gate, and nothing else. `gate.mjs` says at the start where it listens and where Peyk is.
using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "gate", worker = .gate),
    # By the style `proxy` a request keeps its whole address, so Peyk sees by which scheme the client has called.
    (name = "peyk", external = (http = (style = proxy))),
    (name = "site", external = (http = (style = proxy))),
  ],
  # Nothing is said of `http` here: no header of a client's becomes anything but a header.
  sockets = [(name = "http", http = (), service = "gate")],
);

const gate :Workerd.Worker = (
  compatibilityDate = "2026-08-01",
  modules = [
    (name = "gate-worker.mjs", esModule = embed "gate-worker.mjs"),
    (name = "addresses.mjs", esModule = embed "addresses.mjs"),
    (name = "ipaddr.js", commonJsModule = embed "../../../../node_modules/ipaddr.js/lib/ipaddr.js"),
  ],
  bindings = [
    (name = "PEYK", service = "peyk"),
    (name = "SITE", service = "site"),
    (name = "SITE_PATHS", fromEnvironment = "SITE_PATHS"),
    (name = "TRUSTED_PROXIES", fromEnvironment = "TRUSTED_PROXIES"),
  ],
  # It calls nobody but Peyk.
  globalOutbound = "peyk",
);
