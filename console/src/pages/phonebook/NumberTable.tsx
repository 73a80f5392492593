import { useState } from "react";
import { answer, client, type Schemas } from "../../api/client.ts";
import { useTexts } from "../../format/texts.ts";
import { Confirm } from "../../parts/ConfirmDialog.tsx";
import { Phone } from "../../parts/Phone.tsx";
import { RowAct } from "../../parts/RowAct.tsx";
import { SendLink } from "../../parts/SendLink.tsx";
import { type Column, Table } from "../../parts/Table.tsx";
import { EditDialog } from "./EditDialog.tsx";

type Opened = { dialog: "edit" | "remove"; number: Schemas["Number"] };

export function NumberTable({ phonebookId, numbers }: { phonebookId: string; numbers: Schemas["Number"][] }) {
  const { t, format } = useTexts();
  const [opened, setOpened] = useState<Opened | null>(null);
  const close = () => setOpened(null);
  const columns: Column<Schemas["Number"]>[] = [
    { title: t.phonebook.number, isTitle: true, cell: ({ number }) => <Phone of={number} /> },
    { title: t.phonebook.name, cell: ({ name }) => (name ? <bdi className="cell-text">{name}</bdi> : "–") },
    { title: t.phonebook.attributes, isWide: true, cell: ({ attributes }) => <Attributes of={attributes} /> },
    {
      title: t.phonebook.acts,
      cell: (number) => {
        const shown = format.phone(number.number);
        return (
          <span className="row-acts">
            <SendLink to={{ to: number.number }} text={t.phonebooks.sendShort} label={t.phonebooks.sendTo(shown)} />
            <RowAct
              text={t.phonebook.edit}
              label={t.phonebook.editOf(shown)}
              onPress={() => setOpened({ dialog: "edit", number })}
            />
            <RowAct
              isBad
              text={t.phonebook.remove}
              label={t.phonebook.removeOf(shown)}
              onPress={() => setOpened({ dialog: "remove", number })}
            />
          </span>
        );
      },
    },
  ];
  return (
    <>
      <Table caption={t.phonebook.list} columns={columns} rows={numbers} idOf={({ id }) => String(id)} />
      {opened?.dialog === "edit" && <EditDialog phonebookId={phonebookId} of={opened.number} onClose={close} />}
      {opened?.dialog === "remove" && <RemoveDialog phonebookId={phonebookId} of={opened.number} onClose={close} />}
    </>
  );
}

function Attributes({ of }: { of: Record<string, string> }) {
  const entries = Object.entries(of);
  if (entries.length === 0) return "–";
  return (
    <ul className="attributes">
      {entries.map(([name, value]) => (
        <li key={name}>
          <bdi className="faint">{name}</bdi> <bdi>{value}</bdi>
        </li>
      ))}
    </ul>
  );
}

type RemoveProps = { phonebookId: string; of: Schemas["Number"]; onClose: () => void };

function RemoveDialog({ phonebookId, of, onClose }: RemoveProps) {
  const { t, format } = useTexts();
  const who = [`\u2066${format.phone(of.number)}\u2069`, of.name && `\u2068${of.name}\u2069`]
    .filter(Boolean)
    .join(" · ");
  return (
    <Confirm
      title={t.phonebook.removeTitle}
      submit={t.phonebook.removeSubmit}
      keep={t.phonebooks.keep}
      kind="danger"
      ask={() => {
        const params = { path: { phonebookId, numberId: of.id } };
        return answer(client.DELETE("/phonebook/number/{phonebookId}/{numberId}", { params }));
      }}
      stale={[["phonebooks"]]}
      onClose={onClose}
    >
      <p>{t.phonebook.removeText(who)}</p>
    </Confirm>
  );
}
