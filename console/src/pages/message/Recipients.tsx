import { client, type Schemas } from "../../api/client.ts";
import { useMessages } from "../../base/messages.ts";
import { Empty } from "../../parts/Empty.tsx";
import { keepFilled } from "../../parts/keep-filled.ts";
import { Listing, usePage } from "../../parts/Listing.tsx";
import { RecipientsHead } from "./RecipientsHead.tsx";
import { RecipientTable, useRecipientFilters } from "./RecipientTable.tsx";

export function Recipients({ message }: { message: Schemas["MessageDetail"] }) {
  const t = useMessages();
  const { filters } = useRecipientFilters();
  const path = { uid: message.uid };
  // It changes whenever a recipient has moved: then the list is asked for again.
  const state = JSON.stringify(message.counts);
  const list = usePage(
    ["messages", "recipients", state],
    "/messages/{uid}/recipients",
    { path, query: filters },
    { placeholderData: keepFilled },
  );
  return (
    <section className="card stack">
      <RecipientsHead
        title={t.message.recipients}
        file={(query) => client.GET("/messages/{uid}/recipients", { params: { path, query }, parseAs: "blob" })}
      />
      <Listing query={list} isPart empty={<Empty title={t.message.noRecipients} />}>
        {(data) => (
          <RecipientTable caption={t.message.recipients} recipients={data} unit={message.unit} test={message.test} />
        )}
      </Listing>
    </section>
  );
}
