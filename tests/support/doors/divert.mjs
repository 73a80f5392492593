// Node.js loads this before a program. What the program would connect to (PEYK_DOORS, "host:port") it finds on a port of
// this machine, and nothing else than this machine: the libraries of other providers have their hosts built in.
import net from "node:net";

const doors = JSON.parse(process.env.PEYK_DOORS);
const loopback = new Set(["127.0.0.1", "::1", "localhost"]);
const { connect } = net.Socket.prototype;

net.Socket.prototype.connect = function (...args) {
  // `net.connect` hands over the arguments in a list that it has put in order.
  const [options, ...rest] = Array.isArray(args[0]) ? args[0] : net._normalizeArgs(args);
  if (options.path !== undefined && options.host === undefined) return connect.call(this, options, ...rest);
  const host = options.host ?? "localhost";
  const port = doors[`${host}:${options.port}`];
  if (port === undefined && !loopback.has(host)) throw new Error(`a test may not connect to ${host}:${options.port}`);
  const diverted = port === undefined ? options : { ...options, host: "127.0.0.1", port, lookup: undefined };
  return connect.call(this, diverted, ...rest.filter((other) => typeof other === "function"));
};
