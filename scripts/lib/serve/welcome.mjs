// What the command says when the service serves.

/** The words, with what to do next in a new folder, and the keys of the demo's data. */
export function welcome({ places, baseUrl, isNew, demo }) {
  const lines = [`Peyk serves ${places.dir} on ${baseUrl}`];
  if (isNew) lines.push(...next(places, baseUrl));
  if (demo) lines.push(...demoLines(demo));
  return `\n${lines.join("\n")}\n`;
}

const next = ({ settings, secret }, baseUrl) => [
  "",
  "What comes next (docs/self-hosting.md says more):",
  `  1. Put a copy of ${secret} where your passwords are: without it, what the service has sealed is lost.`,
  `  2. Put a proxy with TLS in front of it, and its address and yours (TRUSTED_PROXIES, PUBLIC_URL) into ${settings}.`,
  `  3. Sign in at ${baseUrl}/console with the operator key, and make a plan, a line and an account.`,
];

const demoLines = ({ accountId, apiKey, testKey, line }) => [
  "",
  `  account   ${accountId} (demo)`,
  `  API key   ${apiKey}`,
  `  test key  ${testKey}`,
  `  line      ${line}`,
];
