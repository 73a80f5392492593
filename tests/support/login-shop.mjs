// A shop whose customers sign in with a code: the page of the guide, and behind it the shop's server, which asks Peyk by the
// TypeScript library.
import { createServer } from "node:http";
import { ApiError, Client, ProofError, verifyProof } from "../../clients/typescript/src/index.mjs";
import { blocksOf } from "./guides.mjs";

/** The page that the guide shows. */
const pageOf = (edition) => blocksOf("login-codes", edition).find(({ flag }) => flag === "page").code;

/** Opens the shop. `customers` are the numbers that have signed in. `more` goes into each request for a code. */
export async function openLoginShop({ baseUrl, apiKey, edition = "en", more = {} }) {
  const peyk = new Client({ apiKey, baseUrl });
  const page = `<!doctype html><meta charset="utf-8"><title>Shop</title><link rel="icon" href="data:,">\n${pageOf(edition)}`;
  const keys = await peyk.getProofKeys();
  const { accountInfo } = await peyk.getAccountInfo();
  const customers = [];
  const steps = {
    async "/code"(phone) {
      // A browser takes `localhost` for a safe place, as it takes a page of `https`.
      await peyk.startVerification({ recipient: phone, domain: "localhost", ...more });
      return [200, "The code is on its way."];
    },
    async "/login"(phone, code) {
      const { verified, attemptsLeft, proof } = await peyk.checkVerification({ recipient: phone, code });
      if (!verified) return [403, `The code is wrong. ${attemptsLeft} tries are left.`];
      const { sub } = await verifyProof(proof, keys, { audience: accountInfo.id, purpose: "login" });
      customers.push(sub);
      return [200, `Hello, ${sub}`];
    },
  };
  const server = createServer(async (request, response) => {
    const step = steps[request.url];
    if (!step) return answer(response, request.url === "/" ? 200 : 404, page, "text/html");
    const form = new URLSearchParams(await textOf(request));
    const [status, message] = await step(form.get("phone"), form.get("code")).catch(explained);
    answer(response, status, JSON.stringify({ message }), "application/json");
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  return { customers, close, url: `http://localhost:${server.address().port}` };
}

/** What a person reads of an error. */
function explained(error) {
  if (error instanceof ApiError) return [error.status, error.detail];
  return error instanceof ProofError ? [403, "This is no proof."] : [500, String(error)];
}

async function textOf(request) {
  const pieces = [];
  for await (const piece of request) pieces.push(piece);
  return Buffer.concat(pieces).toString("utf8");
}

const answer = (response, status, body, type) => response.writeHead(status, { "content-type": type }).end(body);
