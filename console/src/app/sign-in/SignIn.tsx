import { useState } from "react";
import { useMessages } from "../../base/messages.ts";
import { Brand } from "../../parts/Brand.tsx";
import { Button } from "../../parts/Button.tsx";
import { Heading } from "../../parts/Heading.tsx";
import { KeyForm } from "./KeyForm.tsx";
import { LanguageLink } from "./LanguageLink.tsx";
import { PhoneForm } from "./PhoneForm.tsx";

/** The page for who has no session: by phone, or with a key. `note` says why it is here. */
export function SignIn({ note }: { note?: string | undefined }) {
  const t = useMessages();
  const [isByKey, setIsByKey] = useState(false);
  return (
    <div className="sign-in">
      <header>
        <Brand />
        <LanguageLink />
      </header>
      <main className="card">
        <Heading title={t.signIn.title} />
        {note ? <p role="status">{note}</p> : <p className="faint">{t.signIn.lead}</p>}
        {isByKey ? <KeyForm /> : <PhoneForm />}
        <Button kind="link" onPress={() => setIsByKey(!isByKey)}>
          {isByKey ? t.signIn.byPhone : t.signIn.byKey}
        </Button>
      </main>
      <footer>
        <p>{isByKey ? t.signIn.where : t.signIn.whoMay}</p>
        <a href={t.app.docsAddress}>{t.app.docs}</a>
      </footer>
    </div>
  );
}
