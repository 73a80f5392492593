import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { answer, client, dataOf, type Schemas } from "../../api/client.ts";
import { useSession } from "../../api/session-context.ts";
import { useMessages } from "../../base/messages.ts";
import { useTexts } from "../../format/texts.ts";
import { Confirm } from "../../parts/ConfirmDialog.tsx";
import { DialogButton } from "../../parts/DialogButton.tsx";
import { DownloadButton } from "../../parts/DownloadButton.tsx";
import { Heading } from "../../parts/Heading.tsx";
import { Loaded } from "../../parts/Loaded.tsx";
import { NeedsScope } from "../../parts/NeedsScope.tsx";
import { Back } from "../../parts/Page.tsx";
import { SendLink } from "../../parts/SendLink.tsx";
import { useNumberColumns } from "../export/columns.ts";
import { forExcel } from "../export/excel.ts";
import { canBeSentTo, mostRecipients } from "../phonebooks/limits.ts";
import { bodyOf, hasTitle, TitleFields } from "../phonebooks/TitleFields.tsx";
import { phonebookQuery } from "../queries.ts";
import { AddForm } from "./AddForm.tsx";
import { Numbers } from "./Numbers.tsx";

export default function PhonebookPage({ id }: { id: string }) {
  const t = useMessages();
  return (
    <>
      <Back to="/phonebooks">{t.phonebook.back}</Back>
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

function Opened({ phonebook }: { phonebook: Schemas["Phonebook"] }) {
  const { t, format } = useTexts();
  const isLive = useSession().mode === "live";
  const [isAdding, setIsAdding] = useState(false);
  return (
    <>
      <Heading title={phonebook.title}>
        <div className="actions">
          {isLive && <Acts phonebook={phonebook} />}
          {canBeSentTo(phonebook.count) && <SendLink to={{ book: phonebook.id }} text={t.phonebook.send} isButton />}
        </div>
      </Heading>
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

function Acts({ phonebook }: { phonebook: Schemas["Phonebook"] }) {
  const t = useMessages();
  const columns = useNumberColumns();
  return (
    <>
      <DialogButton text={t.phonebook.rename} dialog={(close) => <RenameDialog of={phonebook} onClose={close} />} />
      <DownloadButton
        name={`${phonebook.title.replace(unfit, "-")}.csv`}
        ask={async () => forExcel(await fileOf(phonebook), columns)}
      />
      <DialogButton
        isBad
        text={t.phonebook.delete}
        dialog={(close) => <DeleteDialog of={phonebook} onClose={close} />}
      />
    </>
  );
}

/** What a file's name may not have on some system. */
const unfit = /[\\/:*?"<>|]/g;

const fileOf = ({ id }: Schemas["Phonebook"]) =>
  answer<Blob>(client.GET("/phonebook/{id}/export", { params: { path: { id } }, parseAs: "blob" }));

type Props = { of: Schemas["Phonebook"]; onClose: () => void };

function DeleteDialog({ of, onClose }: Props) {
  const { t, format } = useTexts();
  const count = format.number(of.count);
  return (
    <Confirm
      title={t.phonebooks.deleteTitle(of.title)}
      submit={t.phonebooks.deleteSubmit(count)}
      keep={t.phonebooks.keep}
      kind="danger"
      ask={() => answer(client.DELETE("/phonebook/{id}", { params: { path: { id: of.id } } }))}
      deletes={phonebookQuery(of.id)}
      onClose={onClose}
    >
      <p>{t.phonebooks.deleteText(count)}</p>
    </Confirm>
  );
}

function RenameDialog({ of, onClose }: Props) {
  const t = useMessages();
  const [titles, setTitles] = useState({ title: of.title, description: of.description ?? "" });
  return (
    <Confirm
      title={t.phonebooks.renameTitle}
      submit={t.phonebooks.save}
      isForm
      isWhole={hasTitle(titles)}
      ask={() => dataOf(client.PUT("/phonebook/{id}", { params: { path: { id: of.id } }, body: bodyOf(titles) }))}
      stale={[["phonebooks"]]}
      onClose={onClose}
    >
      {(isTried) => <TitleFields value={titles} isTried={isTried} onChange={setTitles} />}
    </Confirm>
  );
}
