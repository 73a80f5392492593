import type { Schemas } from "../../api/client.ts";
import { useMessages } from "../../base/messages.ts";
import { href } from "../../base/router.ts";
import { useFormat } from "../../format/format.ts";
import { type Column, Table } from "../../parts/Table.tsx";

type Phonebook = Schemas["Phonebook"];

export function PhonebookTable({ phonebooks }: { phonebooks: Phonebook[] }) {
  const t = useMessages();
  const format = useFormat();
  const columns: Column<Phonebook>[] = [
    { title: t.phonebooks.name, isWide: true, isTitle: true, cell: (phonebook) => <Titles of={phonebook} /> },
    { title: t.phonebooks.numbers, isNumber: true, cell: ({ count }) => format.number(count) },
    { title: t.phonebooks.made, cell: ({ createdAt }) => format.moment(createdAt) },
  ];
  return <Table caption={t.phonebooks.list} columns={columns} rows={phonebooks} idOf={({ id }) => id} />;
}

function Titles({ of }: { of: Phonebook }) {
  return (
    <span className="text-link">
      <a href={href(`/phonebooks/${of.id}`)} dir="auto">
        {of.title}
      </a>
      {of.description && (
        <span className="faint" dir="auto">
          {of.description}
        </span>
      )}
    </span>
  );
}
