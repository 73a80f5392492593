import type { Schemas } from "../../api/client.ts";
import type { useMessages } from "../../base/messages.ts";
import type { Format } from "../../format/format.ts";
import { useTexts } from "../../format/texts.ts";
import { RecipientBadge } from "../../parts/Badge.tsx";
import { Empty } from "../../parts/Empty.tsx";
import { useShownText } from "../../parts/erased.ts";
import { useFilters } from "../../parts/Filters.tsx";
import { keepFilled } from "../../parts/keep-filled.ts";
import { Listing, usePage } from "../../parts/Listing.tsx";
import { Phone } from "../../parts/Phone.tsx";
import { FilterSelect } from "../../parts/Select.tsx";
import { type Column, Table } from "../../parts/Table.tsx";
import { statusesInOrder } from "./Progress.tsx";

export function Recipients({ message }: { message: Schemas["MessageDetail"] }) {
  const { t, format } = useTexts();
  const { filters, at } = useFilters(["status"]);
  // It changes whenever a recipient has moved: then the list is asked for again.
  const state = JSON.stringify(message.counts);
  const list = usePage(
    ["messages", "recipients", state],
    "/messages/{uid}/recipients",
    { path: { uid: message.uid }, query: filters },
    { placeholderData: keepFilled },
  );
  const choices = statusesInOrder.map((id) => ({ id: id as string, text: t.recipientStatuses[id] }));
  return (
    <section className="card stack">
      <div className="heading">
        <h2>{t.message.recipients}</h2>
        <FilterSelect label={t.messages.status} choices={choices} {...at("status")} />
      </div>
      <Listing query={list} isPart empty={<Empty title={t.message.noRecipients} />}>
        {(data) => (
          <Table
            caption={t.message.recipients}
            columns={columnsOf(t, format, message.unit, data)}
            rows={data}
            idOf={({ uid }) => uid}
          />
        )}
      </Listing>
    </section>
  );
}

function columnsOf(
  t: ReturnType<typeof useMessages>,
  format: Format,
  unit: string,
  recipients: Schemas["RecipientState"][],
): Column<Schemas["RecipientState"]>[] {
  const hasTexts = recipients.some(({ message }) => message !== undefined);
  const own: Column<Schemas["RecipientState"]> = {
    title: t.messages.text,
    isWide: true,
    cell: ({ message }) => <OwnText text={message ?? ""} />,
  };
  return [
    { title: t.messages.recipient, isTitle: true, cell: ({ recipient }) => <Phone of={recipient} /> },
    { title: t.messages.status, cell: ({ status }) => <RecipientBadge status={status} /> },
    { title: t.message.reason, cell: ({ error }) => (error ? t.reasons[error] : "–"), isWide: !hasTexts, isText: true },
    ...(hasTexts ? [own] : []),
    { title: t.messages.cost, isNumber: true, cell: ({ cost }) => format.money(cost, unit) },
    { title: t.message.updated, cell: ({ updatedAt }) => format.moment(updatedAt) },
  ];
}

function OwnText({ text }: { text: string }) {
  const shown = useShownText();
  return <span {...shown(text)} />;
}
