import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Schemas } from "../../../api/client.ts";
import { hasPasskeys } from "../../../api/passkeys.ts";
import { useMessages } from "../../../base/messages.ts";
import { Button } from "../../../parts/Button.tsx";
import { Loaded } from "../../../parts/Loaded.tsx";
import { passkeysQuery } from "../../queries.ts";
import { AddForm, type Member } from "./AddForm.tsx";
import { PasskeyTable } from "./PasskeyTable.tsx";
import { RemoveDialog } from "./RemoveDialog.tsx";
import { RenameDialog } from "./RenameDialog.tsx";

type Passkey = Schemas["Passkey"];

/** The passkeys of the member who has signed in. */
export function Passkeys({ member }: { member: Member }) {
  const t = useMessages();
  return (
    <section className="card stack">
      <h2>{t.passkeys.title}</h2>
      <p className="faint">{t.passkeys.lead}</p>
      <Loaded query={useQuery(passkeysQuery)}>
        {({ passkeys }) => (
          <>
            {passkeys.length === 0 ? <p>{t.passkeys.none}</p> : <Listed passkeys={passkeys} />}
            <Add member={member} known={passkeys} />
          </>
        )}
      </Loaded>
    </section>
  );
}

function Listed({ passkeys }: { passkeys: Passkey[] }) {
  const [renamed, setRenamed] = useState<Passkey | null>(null);
  const [removed, setRemoved] = useState<Passkey | null>(null);
  return (
    <>
      <PasskeyTable passkeys={passkeys} onRename={setRenamed} onRemove={setRemoved} />
      {renamed && <RenameDialog of={renamed} onClose={() => setRenamed(null)} />}
      {removed && <RemoveDialog of={removed} onClose={() => setRemoved(null)} />}
    </>
  );
}

function Add({ member, known }: { member: Member; known: Passkey[] }) {
  const t = useMessages();
  const [isAdding, setIsAdding] = useState(false);
  if (!hasPasskeys()) return <p>{t.passkeys.noBrowser}</p>;
  if (isAdding) return <AddForm member={member} known={known} onClose={() => setIsAdding(false)} />;
  return <Button onPress={() => setIsAdding(true)}>{t.passkeys.add}</Button>;
}
