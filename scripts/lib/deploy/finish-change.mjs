// Ends a change of the secret: the old one goes.
import { Failure } from "../base/command.mjs";
import { shellWord } from "../base/shell-word.mjs";
import { sealAnew } from "./carriers.mjs";
import { proofKeyOf } from "./proof-key.mjs";
import { oldSecretName } from "./secret.mjs";

const day = 24 * 60 * 60 * 1_000;
/** How long gateways use the addresses that the old secret has made. */
const daysToWait = 7;

/** When the old secret may go. */
export const endOf = (changedAt) => new Date(Date.parse(changedAt) + daysToWait * day).toISOString();

/** Removes the old secret from the worker, and then from the file. */
export async function finish(job) {
  const { deployment, remote, say, copy, hasOld } = job;
  const kept = copy.read();
  if (!kept?.old) return nothingToFinish(job);
  await ensureChanged(job, kept);
  if (job.ask) await sealAnew(job, kept);
  if (hasOld) {
    say(`delete the secret ${oldSecretName} …`);
    await remote.deleteSecret(deployment.name, oldSecretName);
  }
  copy.write({ current: kept.current });
  say(`the change is at its end: the service and ${copy.path} have the new secret only.`);
}

function nothingToFinish({ deployment, say, copy, hasOld }) {
  if (hasOld)
    throw new Failure(
      `${copy.path} has no old secret, but the worker has an ${oldSecretName}: a change by hand. Finish it with ` +
        `\`npx wrangler secret delete ${oldSecretName} --name ${deployment.name}\`, as docs/operating.md says.`,
    );
  say("there is no change to finish.");
}

/** The old secret may go only if nothing needs it any more, as far as the file and the service can tell. */
async function ensureChanged(
  { deployment, copy, baseUrl, check, ask, clock, now },
  { current, changedAt, carriersSealedAt },
) {
  const again = `npm run rotate -- ${deployment.environment} --secret-file ${shellWord(copy.path)}`;
  if (!changedAt) throw new Failure(`the change has not come to the service yet. \`${again}\` goes on with it.`);
  const [published] = await check.proofKeys(baseUrl);
  if (published !== proofKeyOf(current))
    throw new Failure(`${baseUrl} does not work by the new secret of ${copy.path}. Nothing was changed.`);
  if (!carriersSealedAt && !ask)
    throw new Failure(
      "the passwords of carriers were not sealed anew, and would be lost. Set ADMIN_KEY to an operator key, and run the same " +
        "command again.",
    );
  if (clock() < Date.parse(endOf(changedAt)) && !now)
    throw new Failure(
      `the secret was changed at ${changedAt}. Gateways report to addresses of the old one for ${daysToWait} days: wait until ` +
        `${endOf(changedAt)}, or say --now to lose those reports.`,
    );
}
