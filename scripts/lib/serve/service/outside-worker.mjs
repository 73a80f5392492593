// All requests that Peyk makes go through this worker: to the public internet, and to the networks that the settings name. The
// runtime looks at the address that a name leads to. So a customer's webhook reaches no machine of the operator's own network.
export default { fetch: (request, env) => env.OUTSIDE.fetch(request) };
