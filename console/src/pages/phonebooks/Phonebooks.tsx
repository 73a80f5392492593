import { useState } from "react";
import { client, dataOf, type Schemas } from "../../api/client.ts";
import { useMay, useSession } from "../../api/session-context.ts";
import { useMessages } from "../../base/messages.ts";
import { goTo, href } from "../../base/router.ts";
import { useTexts } from "../../format/texts.ts";
import { ChangeForm } from "../../parts/ChangeForm.tsx";
import { directionOf } from "../../parts/direction.ts";
import { Empty } from "../../parts/Empty.tsx";
import { Listing, usePage } from "../../parts/Listing.tsx";
import { Page } from "../../parts/Page.tsx";
import { SendLink } from "../../parts/SendLink.tsx";
import { type Column, Table } from "../../parts/Table.tsx";
import { canBeSentTo } from "./limits.ts";
import { bodyOf, hasTitle, TitleFields } from "./TitleFields.tsx";

export default function Phonebooks() {
  const t = useMessages();
  const mayUse = useMay("phonebook");
  const isLive = useSession().mode === "live";
  return (
    <Page
      title={t.phonebooks.title}
      lead={isLive ? t.phonebooks.lead : t.phonebooks.testLead}
      scope="phonebook"
      adds={mayUse && isLive && t.phonebooks.create}
      form={(close) => <CreateForm onClose={close} />}
    >
      <List />
    </Page>
  );
}

function List() {
  const t = useMessages();
  return (
    <Listing
      query={usePage(["phonebooks", "list"], "/phonebook")}
      empty={<Empty title={t.phonebooks.none} text={t.phonebooks.noneText} />}
      isEmptyWhole
    >
      {(data) => <PhonebookTable phonebooks={data} />}
    </Listing>
  );
}

function PhonebookTable({ phonebooks }: { phonebooks: Schemas["Phonebook"][] }) {
  const { t, format } = useTexts();
  const maySend = useMay("sms:send");
  const columns: Column<Schemas["Phonebook"]>[] = [
    { title: t.phonebooks.name, isWide: true, isTitle: true, cell: (phonebook) => <Titles of={phonebook} /> },
    { title: t.phonebooks.numbers, isNumber: true, cell: ({ count }) => format.number(count) },
    { title: t.phonebooks.made, cell: ({ createdAt }) => format.moment(createdAt) },
  ];
  if (maySend) columns.push({ title: t.phonebooks.send, cell: (phonebook) => <SendTo of={phonebook} /> });
  return <Table caption={t.phonebooks.list} columns={columns} rows={phonebooks} idOf={({ id }) => id} />;
}

function SendTo({ of: { id, title, count } }: { of: Schemas["Phonebook"] }) {
  const t = useMessages();
  if (!canBeSentTo(count)) return "–";
  return <SendLink to={{ book: id }} text={t.phonebooks.sendShort} label={t.phonebooks.sendTo(title)} />;
}

function Titles({ of }: { of: Schemas["Phonebook"] }) {
  return (
    <span className="text-link">
      <a href={href(`/phonebooks/${of.id}`)} dir={directionOf(of.title)}>
        {of.title}
      </a>
      {of.description && (
        <span className="faint" dir={directionOf(of.description)}>
          {of.description}
        </span>
      )}
    </span>
  );
}

/** Makes a phonebook, and goes there: it is empty, so numbers come next. */
function CreateForm({ onClose }: { onClose: () => void }) {
  const t = useMessages();
  const [titles, setTitles] = useState({ title: "", description: "" });
  return (
    <ChangeForm
      title={t.phonebooks.create}
      submit={t.phonebooks.createSubmit}
      isWhole={hasTitle(titles)}
      ask={() => dataOf(client.POST("/phonebook", { body: bodyOf(titles) }))}
      stale={[["phonebooks"]]}
      onDone={({ id }) => goTo(`/phonebooks/${id}`)}
      onClose={onClose}
    >
      {(isTried) => (
        <>
          <TitleFields value={titles} isTried={isTried} onChange={setTitles} />
        </>
      )}
    </ChangeForm>
  );
}
