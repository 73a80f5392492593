import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { answer, client, type Schemas } from "../../../api/client.ts";
import { hasPasskeys } from "../../../api/passkeys.ts";
import { useMessages } from "../../../base/messages.ts";
import { useTexts } from "../../../format/texts.ts";
import { Button } from "../../../parts/Button.tsx";
import { Confirm } from "../../../parts/ConfirmDialog.tsx";
import { Loaded } from "../../../parts/Loaded.tsx";
import { RowAct } from "../../../parts/RowAct.tsx";
import { type Column, Table } from "../../../parts/Table.tsx";
import { passkeysQuery } from "../../overview/queries.ts";
import { AddForm, type Member, TitleField } from "./AddForm.tsx";

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

type Props = { passkeys: Passkey[]; onRename: (passkey: Passkey) => void; onRemove: (passkey: Passkey) => void };

function PasskeyTable({ passkeys, onRename, onRemove }: Props) {
  const { t, format } = useTexts();
  const columns: Column<Passkey>[] = [
    { title: t.passkeys.name, isWide: true, isTitle: true, cell: ({ title }) => <b dir="auto">{title}</b> },
    { title: t.passkeys.added, cell: ({ createdAt }) => format.moment(createdAt) },
    { title: t.passkeys.used, cell: ({ usedAt }) => (usedAt ? format.ago(usedAt) : t.passkeys.neverUsed) },
    {
      title: t.passkeys.change,
      cell: (passkey) => (
        <span className="actions">
          <RowAct
            text={t.passkeys.rename}
            label={t.passkeys.renameOf(passkey.title)}
            onPress={() => onRename(passkey)}
          />
          <RowAct
            isBad
            text={t.passkeys.remove}
            label={t.passkeys.removeOf(passkey.title)}
            onPress={() => onRemove(passkey)}
          />
        </span>
      ),
    },
  ];
  return <Table caption={t.passkeys.title} columns={columns} rows={passkeys} idOf={({ id }) => id} />;
}

type DialogProps = { of: Passkey; onClose: () => void };

function RenameDialog({ of: { id, title: before }, onClose }: DialogProps) {
  const t = useMessages();
  const [title, setTitle] = useState(before);
  const body = { title: title.trim() };
  return (
    <Confirm
      title={t.passkeys.renameTitle}
      submit={t.passkeys.renameSubmit}
      isForm
      isWhole={body.title !== ""}
      ask={() => answer(client.PATCH("/console/passkeys/{id}", { params: { path: { id } }, body }))}
      stale={[["passkeys"]]}
      onClose={onClose}
    >
      <TitleField value={title} isTried onChange={setTitle} />
    </Confirm>
  );
}

function RemoveDialog({ of, onClose }: DialogProps) {
  const t = useMessages();
  return (
    <Confirm
      title={t.passkeys.removeTitle(of.title)}
      submit={t.passkeys.removeSubmit}
      keep={t.passkeys.keep}
      kind="danger"
      ask={() => answer(client.DELETE("/console/passkeys/{id}", { params: { path: { id: of.id } } }))}
      stale={[["passkeys"]]}
      onClose={onClose}
    >
      <p>{t.passkeys.removeText}</p>
    </Confirm>
  );
}
