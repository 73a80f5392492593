// Changes the secret of a service whose operator has a copy of it.
import { Failure } from "../base/command.mjs";
import { shellWord } from "../base/shell-word.mjs";
import { sealAnew } from "./carriers.mjs";
import { endOf } from "./finish-change.mjs";
import { proofKeyOf } from "./proof-key.mjs";
import { oldSecretName, secretName } from "./secret.mjs";
import { newSecret } from "./secret-file.mjs";

/** Makes a new secret, lets the service work by it, and says what people must do until the old one can go. */
export async function change(job) {
  const { deployment, remote, say, copy, baseUrl, check, clock } = job;
  const kept = await begun(job);
  for (const [name, value] of [
    [oldSecretName, kept.old],
    [secretName, kept.current],
  ]) {
    say(`set the secret ${name} …`);
    await remote.putSecret(deployment.name, name, value);
  }
  deployment.keep({ secretHasCopy: true });
  say(`waiting until ${baseUrl} works by the new secret …`);
  await check.publishes(baseUrl, [kept.current, kept.old].map(proofKeyOf));
  kept.changedAt ??= new Date(clock()).toISOString();
  copy.write(kept);
  const carriers = job.ask && (await sealAnew(job, kept));
  tell(job, kept, carriers);
}

/** The two secrets of the change: those that the file has of a change that has begun, or the file's secret and a new one. */
async function begun({ deployment, say, copy, baseUrl, check, hasOld }) {
  const kept = copy.read();
  if (!kept)
    throw new Failure(
      `there is no file ${copy.path}. It must have the line ${secretName}=… with the secret of now. If nobody has it: ` +
        `\`npm run rotate -- ${deployment.environment} --lost --secret-file PATH\`.`,
    );
  const [published] = await check.proofKeys(baseUrl);
  const known = [kept.current, kept.old].filter(Boolean).map(proofKeyOf);
  if (!known.includes(published))
    throw new Failure(`${copy.path} has another secret than ${baseUrl}. Nothing was changed.`);
  if (kept.old) {
    say(`${copy.path} has a change that has begun: it goes on, and no other secret is made.`);
    return kept;
  }
  if (hasOld)
    throw new Failure(
      `the worker has an ${oldSecretName} that ${copy.path} does not know: a change by hand is not at its end. Finish it with ` +
        `\`npx wrangler secret delete ${oldSecretName} --name ${deployment.name}\`, as docs/operating.md says.`,
    );
  const both = { current: newSecret(), old: kept.current };
  copy.write(both);
  say(`${copy.path} has the new secret and the old one.`);
  return both;
}

/** What people must do until the old secret can go. */
function tell({ deployment, say, copy }, { changedAt, carriersSealedAt }, carriers) {
  const command = `npm run rotate -- ${deployment.environment}`;
  const left = [
    !carriersSealedAt &&
      `seal the carriers' passwords anew: ADMIN_KEY=… ${command} --secret-file ${shellWord(copy.path)}`,
    gatewaysLeft(carriers),
    "wait until the nightly check has looked at each account: it seals the secrets of webhooks anew",
    "put numbers that were erased, and are to stay blocked, on the blacklist again (docs/privacy.md)",
    `keep a copy of ${copy.path} as it is now for 30 days: who takes data back to a time before the change needs the old secret`,
  ];
  say("the service works by the new secret, and still reads what the old one has made. Before the old one goes:");
  for (const line of left.filter(Boolean)) say(`  - ${line}`);
  say(`from ${endOf(changedAt)} on, \`${command} --finish --secret-file ${shellWord(copy.path)}\` removes it.`);
}

/** Only who has asked for the carriers knows which of them are gateways. */
function gatewaysLeft(carriers) {
  const what = "give each gateway its new address for messages from phones, the inboundUrl of its carrier";
  if (!carriers) return what;
  const names = carriers.filter(({ kind }) => kind === "http").map(({ name }) => name);
  return names.length > 0 && `${what}: ${names.join(", ")}`;
}
