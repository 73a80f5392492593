// Signing in with a passkey: https://www.w3.org/TR/webauthn-3/. The settings of a member have the rest of it.
import { bytesOf, textOf } from "./base64url.ts";
import { answer, client } from "./client.ts";

/** Whether the browser knows passkeys. It gives them to pages alone that come encrypted or from this machine. */
export const hasPasskeys = () => "PublicKeyCredential" in window;

/** What a device is to sign, and the domain for which its passkeys count. */
export async function newChallenge() {
  const { challenge, rpId } = (await answer(client.POST("/console/passkeys/challenge"))).data;
  return { challenge: bytesOf(challenge), rpId };
}

/** Begins a session. The device lets the person choose among the passkeys that it has for the service. */
export async function signInByPasskey() {
  const { challenge, rpId } = await newChallenge();
  const publicKey: PublicKeyCredentialRequestOptions = {
    challenge,
    rpId,
    userVerification: "required",
    allowCredentials: [],
  };
  const { rawId, response } = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential;
  const { userHandle, clientDataJSON, authenticatorData, signature } = response as AuthenticatorAssertionResponse;
  const body = {
    id: textOf(rawId),
    userHandle: textOf(userHandle ?? new ArrayBuffer()),
    clientDataJSON: textOf(clientDataJSON),
    authenticatorData: textOf(authenticatorData),
    signature: textOf(signature),
  };
  await answer(client.POST("/console/sign-in/passkey", { body }));
}
