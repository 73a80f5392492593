import { answer, client, type Schemas } from "../../api/client.ts";
import { filled } from "../../api/queries.ts";
import type { useMessages } from "../../base/messages.ts";
import type { Format } from "../../format/format.ts";
import { useTexts } from "../../format/texts.ts";
import { RecipientBadge } from "../../parts/Badge.tsx";
import { DownloadButton } from "../../parts/DownloadButton.tsx";
import { Empty } from "../../parts/Empty.tsx";
import { useShownText } from "../../parts/erased.ts";
import { Filters, useFilters } from "../../parts/Filters.tsx";
import { keepFilled } from "../../parts/keep-filled.ts";
import { Listing, usePage } from "../../parts/Listing.tsx";
import { Phone } from "../../parts/Phone.tsx";
import { SearchField } from "../../parts/SearchField.tsx";
import { choicesOf, FilterSelect } from "../../parts/Select.tsx";
import { type Column, Table } from "../../parts/Table.tsx";

export function Recipients({ message }: { message: Schemas["MessageDetail"] }) {
  const { t, format } = useTexts();
  const { filters, at, clear } = useFilters(["status", "recipient", "error"]);
  // It changes whenever a recipient has moved: then the list is asked for again.
  const state = JSON.stringify(message.counts);
  const list = usePage(
    ["messages", "recipients", state],
    "/messages/{uid}/recipients",
    { path: { uid: message.uid }, query: filters },
    { placeholderData: keepFilled },
  );
  return (
    <section className="card stack">
      <div className="heading">
        <h2>{t.message.recipients}</h2>
        <div className="download">
          <DownloadButton name="peyk-recipients.csv" ask={() => fileOf(message, filters)} />
        </div>
      </div>
      <Filters onClear={clear}>
        <FilterSelect label={t.messages.status} choices={choicesOf(t.recipientStatuses)} {...at("status")} />
        <FilterSelect label={t.message.reason} choices={choicesOf(t.reasons)} {...at("error")} />
        <SearchField label={t.messages.recipient} inputMode="tel" {...at("recipient")} />
      </Filters>
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

const fileOf = ({ uid }: Schemas["MessageDetail"], query: Record<string, string>) =>
  answer<Blob>(
    client.GET("/messages/{uid}/recipients", {
      params: { path: { uid }, query: { ...filled(query), format: "csv" } },
      parseAs: "blob",
    }),
  );

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
