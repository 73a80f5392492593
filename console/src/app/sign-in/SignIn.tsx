import { useState } from "react";
import { useMessages } from "../../base/messages.ts";
import { Button } from "../../parts/Button.tsx";
import { Heading } from "../../parts/Heading.tsx";
import { Front } from "./Front.tsx";
import { KeyForm } from "./KeyForm.tsx";
import { PasskeyButton } from "./PasskeyButton.tsx";
import { PhoneForm } from "./PhoneForm.tsx";

/** The page for who has no session: by phone, with a passkey, or with a key. `note` says why it is here. */
export function SignIn({ note }: { note?: string | undefined }) {
  const t = useMessages();
  const [isByKey, setIsByKey] = useState(false);
  const footer = (
    <>
      <p>{isByKey ? t.signIn.where : t.signIn.whoMay}</p>
      <a href={t.app.docsAddress}>{t.app.docs}</a>
    </>
  );
  return (
    <Front footer={footer}>
      <Heading title={t.signIn.title} />
      {note ? <p role="status">{note}</p> : <p className="faint">{t.signIn.lead}</p>}
      {isByKey ? <KeyForm /> : <PhoneForm />}
      <PasskeyButton />
      <Button kind="link" onPress={() => setIsByKey(!isByKey)}>
        {isByKey ? t.signIn.byPhone : t.signIn.byKey}
      </Button>
    </Front>
  );
}
