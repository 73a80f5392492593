import { queryOptions } from "@tanstack/react-query";
import { bytesOf, textOf } from "../../../api/base64url.ts";
import { answer, client, type Schemas } from "../../../api/client.ts";
import { newChallenge } from "../../../api/passkeys.ts";
import type { Session } from "../../../api/session.ts";

export type Passkey = Schemas["Passkey"];
export type Member = NonNullable<Session["member"]>;

/** ES256, by its number in COSE: the service takes no other. */
const algorithms: PublicKeyCredentialParameters[] = [{ type: "public-key", alg: -7 }];

export const passkeysQuery = queryOptions({
  queryKey: ["passkeys"],
  queryFn: async ({ signal }) => (await answer(client.GET("/console/passkeys", { signal }))).data.passkeys,
});

/** Lets a device make a passkey, unless it has one of these already. */
async function make({ phone, passkeyUser }: Member, displayName: string, known: Passkey[]) {
  const { challenge, rpId } = await newChallenge();
  const publicKey: PublicKeyCredentialCreationOptions = {
    challenge,
    rp: { id: rpId, name: "Peyk" },
    user: { id: bytesOf(passkeyUser ?? ""), name: phone, displayName },
    pubKeyCredParams: algorithms,
    authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "required" },
    attestation: "none",
    excludeCredentials: known.map(({ credentialId }) => ({ type: "public-key", id: bytesOf(credentialId) })),
  };
  const { response } = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential;
  return response as AuthenticatorAttestationResponse;
}

export async function add(title: string, member: Member, name: string, known: Passkey[]) {
  const made = await make(member, name, known);
  const body = {
    title,
    clientDataJSON: textOf(made.clientDataJSON),
    authenticatorData: textOf(made.getAuthenticatorData()),
  };
  await answer(client.POST("/console/passkeys", { body }));
}

const at = (id: string) => ({ path: { id } });

export async function rename(id: string, title: string) {
  await answer(client.PATCH("/console/passkeys/{id}", { params: at(id), body: { title } }));
}

export async function remove(id: string) {
  await answer(client.DELETE("/console/passkeys/{id}", { params: at(id) }));
}
