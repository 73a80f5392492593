// In which account of Cloudflare a deployment is, and at which address.
import { Failure } from "../base/command.mjs";

/** Chooses the account, once: a deployment stays in it. */
export async function chooseAccount({ deployment, remote, env, say }) {
  const accounts = await remote.accounts();
  const wanted = env.CLOUDFLARE_ACCOUNT_ID || deployment.account;
  if (deployment.account && wanted !== deployment.account)
    throw new Failure(
      `CLOUDFLARE_ACCOUNT_ID is not the account of ${deployment.file}. Unset it, or remove the file to deploy anew.`,
    );
  const list = accounts.map(({ id, name }) => `  ${id}  ${name}`).join("\n");
  if (!wanted && accounts.length !== 1)
    throw new Failure(`set CLOUDFLARE_ACCOUNT_ID to the account to deploy to. Yours are:\n${list}`);
  if (wanted && accounts.length > 0 && !accounts.some(({ id }) => id === wanted))
    throw new Failure(`you have no access to the account ${wanted}. Yours are:\n${list}`);
  const id = wanted || accounts[0].id;
  remote.use(id);
  say(`the account is ${id}`);
  if (!deployment.account) deployment.note({ account: id });
}

/** The address of the worker, from the targets that wrangler has named when it deployed. */
export function addressOf({ vars, file }, targets) {
  if (vars.PUBLIC_URL) return vars.PUBLIC_URL.replace(/\/$/, "");
  const target = targets.find((text) => text.startsWith("https://")) ?? targets.find((text) => !/[*/]/.test(text));
  if (!target)
    throw new Failure(`the worker is deployed, but has no address. Set "PUBLIC_URL" in the vars of ${file}.`);
  const host = target.split(" ")[0];
  return host.startsWith("https://") ? host : `https://${host}`;
}
