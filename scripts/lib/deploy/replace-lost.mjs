// A new secret for a service of whose secret nobody has a copy. What the lost one has sealed is lost with it.
import { Failure } from "../base/command.mjs";
import { proofKeyOf } from "./proof-key.mjs";
import { oldSecretName, secretName } from "./secret.mjs";
import { newSecret } from "./secret-file.mjs";

const losses = [
  "the passwords of carriers: you set each of them anew;",
  "the secrets of webhooks: customers rotate them, and hear of nothing until then;",
  "reports for messages that have left, and status callbacks of those that wait: they are refused, or given up;",
  "the addresses to which gateways hand messages from phones: you give each gateway its new one;",
  "codes that are being checked, and blocks of numbers that were erased.",
];

/** Says what is lost, and with `yes` sets the new secret. The file has it before, so a second run makes no other one. */
export async function replaceLost(job) {
  const { deployment, remote, say, copy, baseUrl, check, yes, hasOld } = job;
  const kept = copy.read();
  await ensureLost(job, kept);
  if (!yes) throw new Failure(`nothing was changed. Say --yes, too, to go on: what the list above names is lost.`);
  const { current } = kept ?? { current: newSecret() };
  if (!kept) copy.write({ current });
  say(`set the secret ${secretName} …`);
  await remote.putSecret(deployment.name, secretName, current);
  if (hasOld) await remote.deleteSecret(deployment.name, oldSecretName);
  deployment.keep({ secretHasCopy: true });
  say(`waiting until ${baseUrl} works by the new secret …`);
  await check.publishes(baseUrl, [proofKeyOf(current)]);
  say(`the service works by the new secret, and ${copy.path} has it. Keep a copy where your passwords are.`);
}

/** Who has a copy loses nothing in another way. */
async function ensureLost({ deployment, say, copy, baseUrl, check, yes }, kept) {
  const [published] = kept ? await check.proofKeys(baseUrl) : [];
  const isKept = kept && [kept.current, kept.old].some((secret) => secret && proofKeyOf(secret) === published);
  if (kept?.old || (isKept && !yes))
    throw new Failure(
      `${copy.path} ${isKept ? "has the secret of the service, so it is not lost" : "has secrets of a change"}. ` +
        `\`npm run rotate -- ${deployment.environment} --secret-file PATH\` changes a secret, and loses nothing.`,
    );
  if (isKept) return;
  say("with the lost secret go, for good:");
  for (const loss of losses) say(`  - ${loss}`);
  say("If no carrier has a password and nobody has a webhook, these are none.");
}
