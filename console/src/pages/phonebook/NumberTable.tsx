import { useState } from "react";
import type { Schemas } from "../../api/client.ts";
import { useMessages } from "../../base/messages.ts";
import { useFormat } from "../../format/format.ts";
import { Button } from "../../parts/Button.tsx";
import { Phone } from "../../parts/Phone.tsx";
import { type Column, Table } from "../../parts/Table.tsx";
import { EditDialog } from "./EditDialog.tsx";
import { RemoveDialog } from "./RemoveDialog.tsx";

type SavedNumber = Schemas["Number"];

type Opened = { dialog: "edit" | "remove"; number: SavedNumber };

export function NumberTable({ phonebookId, numbers }: { phonebookId: string; numbers: SavedNumber[] }) {
  const t = useMessages();
  const format = useFormat();
  const [opened, setOpened] = useState<Opened | null>(null);
  const close = () => setOpened(null);
  const columns: Column<SavedNumber>[] = [
    { title: t.phonebook.number, isTitle: true, cell: ({ number }) => <Phone of={number} /> },
    { title: t.phonebook.name, cell: ({ name }) => (name ? <bdi className="cell-text">{name}</bdi> : "–") },
    { title: t.phonebook.attributes, isWide: true, cell: ({ attributes }) => <Attributes of={attributes} /> },
    {
      title: t.phonebook.acts,
      cell: (number) => {
        const shown = format.phone(number.number);
        return (
          <span className="row-acts">
            <Button
              kind="link"
              aria-label={t.phonebook.editOf(shown)}
              onPress={() => setOpened({ dialog: "edit", number })}
            >
              {t.phonebook.edit}
            </Button>
            <Button
              kind="link"
              className="bad"
              aria-label={t.phonebook.removeOf(shown)}
              onPress={() => setOpened({ dialog: "remove", number })}
            >
              {t.phonebook.remove}
            </Button>
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
