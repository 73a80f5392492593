import { useState } from "react";
import { bytesOf, textOf } from "../../../api/base64url.ts";
import { useChange } from "../../../api/change.ts";
import { answer, client, type Schemas } from "../../../api/client.ts";
import { newChallenge } from "../../../api/passkeys.ts";
import type { Session } from "../../../api/session.ts";
import { useSession } from "../../../api/session-context.ts";
import { useMessages } from "../../../base/messages.ts";
import { Button } from "../../../parts/Button.tsx";
import { Form } from "../../../parts/Form.tsx";
import { PasskeyProblem } from "../../../parts/PasskeyProblem.tsx";
import { TextField } from "../../../parts/TextField.tsx";

type Props = { member: Member; known: Schemas["Passkey"][]; onClose: () => void };

/** Asks what the passkey is to be called, and then lets the device make it. */
export function AddForm({ member, known, onClose }: Props) {
  const t = useMessages();
  const { title: name } = useSession();
  const [title, setTitle] = useState("");
  const [isTried, setIsTried] = useState(false);
  const make = useChange({ ask: () => add(title.trim(), member, name, known), stale: [["passkeys"]], onDone: onClose });
  const submit = () => {
    setIsTried(true);
    if (title.trim() !== "") make.mutate();
  };
  return (
    <Form className="stack narrow" onSubmit={submit}>
      <TitleField value={title} isTried={isTried} onChange={setTitle} />
      <p className="faint">{t.passkeys.addText}</p>
      {make.error && <PasskeyProblem error={make.error} />}
      <div className="actions">
        <Button kind="quiet" onPress={onClose}>
          {t.form.cancel}
        </Button>
        <Button type="submit" isPending={make.isPending}>
          {t.passkeys.addSubmit}
        </Button>
      </div>
    </Form>
  );
}

export type Member = NonNullable<Session["member"]>;

/** ES256, by its number in COSE: the service takes no other. */
const algorithms: PublicKeyCredentialParameters[] = [{ type: "public-key", alg: -7 }];

/** Lets a device make a passkey, unless it has one of these already. */
async function make({ phone, passkeyUser }: Member, displayName: string, known: Schemas["Passkey"][]) {
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

async function add(title: string, member: Member, name: string, known: Schemas["Passkey"][]) {
  const made = await make(member, name, known);
  const body = {
    title,
    clientDataJSON: textOf(made.clientDataJSON),
    authenticatorData: textOf(made.getAuthenticatorData()),
  };
  await answer(client.POST("/console/passkeys", { body }));
}

type TitleFieldProps = { value: string; isTried: boolean; onChange: (title: string) => void };

export function TitleField({ value, isTried, onChange }: TitleFieldProps) {
  const t = useMessages();
  return (
    <TextField
      label={t.passkeys.name}
      hint={t.passkeys.nameHint}
      error={isTried && value.trim() === "" ? t.passkeys.noName : undefined}
      value={value}
      onChange={onChange}
      maxLength={100}
      autoFocus
    />
  );
}
