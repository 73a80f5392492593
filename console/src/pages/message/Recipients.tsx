import { answer, client, type Schemas } from "../../api/client.ts";
import { filled } from "../../api/queries.ts";
import { useMessages } from "../../base/messages.ts";
import { DownloadButton } from "../../parts/DownloadButton.tsx";
import { Empty } from "../../parts/Empty.tsx";
import { keepFilled } from "../../parts/keep-filled.ts";
import { Listing, usePage } from "../../parts/Listing.tsx";
import { RecipientFilters, RecipientTable, useRecipientFilters } from "./RecipientTable.tsx";

export function Recipients({ message }: { message: Schemas["MessageDetail"] }) {
  const t = useMessages();
  const { filters } = useRecipientFilters();
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
      <RecipientFilters />
      <Listing query={list} isPart empty={<Empty title={t.message.noRecipients} />}>
        {(data) => <RecipientTable caption={t.message.recipients} recipients={data} unit={message.unit} />}
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
