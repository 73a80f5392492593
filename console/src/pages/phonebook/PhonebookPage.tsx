import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Schemas } from "../../api/client.ts";
import { useSession } from "../../api/session-context.ts";
import { useMessages } from "../../base/messages.ts";
import { href } from "../../base/router.ts";
import { useFormat } from "../../format/format.ts";
import { Button } from "../../parts/Button.tsx";
import { Heading } from "../../parts/Heading.tsx";
import { Loaded } from "../../parts/Loaded.tsx";
import { NeedsScope } from "../../parts/NeedsScope.tsx";
import { DeleteDialog } from "../phonebooks/DeleteDialog.tsx";
import { mostRecipients } from "../phonebooks/limits.ts";
import { RenameDialog } from "../phonebooks/RenameDialog.tsx";
import { phonebookQuery } from "../queries.ts";
import { AddForm } from "./AddForm.tsx";
import { ExportButton } from "./ExportButton.tsx";
import { Numbers } from "./Numbers.tsx";

type Phonebook = Schemas["Phonebook"];

export default function PhonebookPage({ id }: { id: string }) {
  const t = useMessages();
  return (
    <>
      <a className="back" href={href("/phonebooks")}>
        {t.phonebook.back}
      </a>
      <NeedsScope scope="phonebook">
        <Found id={id} />
      </NeedsScope>
    </>
  );
}

function Found({ id }: { id: string }) {
  const query = useQuery(phonebookQuery(id));
  return <Loaded query={query}>{(phonebook) => <Opened key={id} phonebook={phonebook} />}</Loaded>;
}

function Opened({ phonebook }: { phonebook: Phonebook }) {
  const t = useMessages();
  const format = useFormat();
  const isLive = useSession().mode === "live";
  const [isAdding, setIsAdding] = useState(false);
  return (
    <>
      <Heading title={phonebook.title}>{isLive && <Acts phonebook={phonebook} />}</Heading>
      {phonebook.description && (
        <p className="faint">
          <bdi>{phonebook.description}</bdi>
        </p>
      )}
      {phonebook.count > mostRecipients && (
        <p className="note">{t.phonebook.large(format.number(phonebook.count), format.number(mostRecipients))}</p>
      )}
      {isAdding && <AddForm phonebookId={phonebook.id} onClose={() => setIsAdding(false)} />}
      {isLive ? (
        <Numbers phonebook={phonebook} onAdd={isAdding ? undefined : () => setIsAdding(true)} />
      ) : (
        <p className="state">{t.phonebook.hidden(format.number(phonebook.count))}</p>
      )}
    </>
  );
}

function Acts({ phonebook }: { phonebook: Phonebook }) {
  const t = useMessages();
  const [dialog, setDialog] = useState<"rename" | "delete" | null>(null);
  const close = () => setDialog(null);
  return (
    <div className="actions">
      <Button kind="quiet" onPress={() => setDialog("rename")}>
        {t.phonebook.rename}
      </Button>
      <ExportButton phonebook={phonebook} />
      <Button kind="quiet" className="bad" onPress={() => setDialog("delete")}>
        {t.phonebook.delete}
      </Button>
      {dialog === "rename" && <RenameDialog of={phonebook} onClose={close} />}
      {dialog === "delete" && <DeleteDialog of={phonebook} onClose={close} />}
    </div>
  );
}
