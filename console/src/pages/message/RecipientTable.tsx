import type { ReactNode } from "react";
import type { Schemas } from "../../api/client.ts";
import { useTexts } from "../../format/texts.ts";
import { isSimulated, RecipientBadge } from "../../parts/Badge.tsx";
import { useShownText } from "../../parts/erased.ts";
import { Filters, useFilters } from "../../parts/Filters.tsx";
import { Phone } from "../../parts/Phone.tsx";
import { SearchField } from "../../parts/SearchField.tsx";
import { choicesOf, FilterSelect } from "../../parts/Select.tsx";
import { type Column, Table } from "../../parts/Table.tsx";

export type Recipient = Schemas["RecipientState"];

export const useRecipientFilters = () => useFilters(["status", "recipient", "error"]);

/** Narrows recipients down to one number, or to what became of them. */
export function RecipientFilters() {
  const { t } = useTexts();
  const { at, clear } = useRecipientFilters();
  return (
    <Filters onClear={clear}>
      <FilterSelect label={t.messages.status} choices={choicesOf(t.recipientStatuses)} {...at("status")} />
      <FilterSelect label={t.message.reason} choices={choicesOf(t.reasons)} {...at("error")} />
      <SearchField label={t.messages.recipient} inputMode="tel" {...at("recipient")} />
    </Filters>
  );
}

type Props = {
  caption: string;
  recipients: Recipient[];
  unit: string;
  /** Whether a test key has sent to them. */
  test: boolean;
  /** What else there is to a recipient. */
  last?: { title: string; cell: (recipient: Recipient) => ReactNode };
};

/** Recipients, with what became of each. */
export function RecipientTable({ caption, recipients, unit, test, last }: Props) {
  const { t, format } = useTexts();
  const hasTexts = recipients.some(({ message }) => message !== undefined);
  const own: Column<Recipient> = {
    title: t.messages.text,
    isWide: true,
    cell: ({ message }) => <OwnText text={message ?? ""} />,
  };
  const columns: Column<Recipient>[] = [
    { title: t.messages.recipient, isTitle: true, cell: ({ recipient }) => <Phone of={recipient} /> },
    {
      title: t.messages.status,
      cell: (recipient) => (
        <RecipientBadge status={recipient.status} isSimulated={isSimulated({ ...recipient, test })} />
      ),
    },
    { title: t.message.reason, cell: ({ error }) => (error ? t.reasons[error] : "–"), isWide: !hasTexts, isText: true },
    ...(hasTexts ? [own] : []),
    { title: t.messages.cost, isNumber: true, cell: ({ cost }) => format.money(cost, unit) },
    { title: t.message.updated, cell: ({ updatedAt }) => format.moment(updatedAt) },
    ...(last ? [last] : []),
  ];
  return <Table caption={caption} columns={columns} rows={recipients} idOf={({ uid }) => uid} />;
}

function OwnText({ text }: { text: string }) {
  const shown = useShownText();
  return <span {...shown(text)} />;
}
