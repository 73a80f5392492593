import { useState } from "react";
import { client, dataOf, type Schemas } from "../../api/client.ts";
import { useMay } from "../../api/session-context.ts";
import { useMessages } from "../../base/messages.ts";
import { href } from "../../base/router.ts";
import { useTexts } from "../../format/texts.ts";
import { Code } from "../../parts/Code.tsx";
import { Empty } from "../../parts/Empty.tsx";
import { Listing, usePage } from "../../parts/Listing.tsx";
import { Page } from "../../parts/Page.tsx";
import { type Column, Table } from "../../parts/Table.tsx";
import { EndpointBadge } from "./EndpointBadge.tsx";
import { EndpointForm } from "./EndpointForm.tsx";
import { Secret } from "./Secret.tsx";

export default function Webhooks() {
  const t = useMessages();
  const mayCreate = useMay("webhook");
  const [made, setMade] = useState<Schemas["EndpointWithSecret"] | null>(null);
  return (
    <Page
      above={made && <Secret of={made} onDone={() => setMade(null)} />}
      title={t.webhooks.title}
      lead={t.webhooks.lead}
      scope="webhook"
      adds={mayCreate && t.webhooks.create}
      form={(close) => (
        <EndpointForm
          title={t.webhooks.createTitle}
          submit={t.webhooks.createSubmit}
          save={(settings) => dataOf(client.POST("/webhook", { body: { ...settings, active: true } }))}
          onSaved={setMade}
          onClose={close}
        />
      )}
    >
      <EndpointList />
    </Page>
  );
}

function EndpointList() {
  const t = useMessages();
  return (
    <Listing
      query={usePage(["webhooks", "list"], "/webhook")}
      empty={<Empty title={t.webhooks.none} text={t.webhooks.noneText} />}
      isEmptyWhole
    >
      {(data) => <EndpointTable endpoints={data} />}
    </Listing>
  );
}

function EndpointTable({ endpoints }: { endpoints: Schemas["Endpoint"][] }) {
  const { t, format } = useTexts();
  const columns: Column<Schemas["Endpoint"]>[] = [
    { title: t.webhooks.address, isTitle: true, isWide: true, cell: (endpoint) => <Address of={endpoint} /> },
    { title: t.webhooks.state, cell: (endpoint) => <EndpointBadge of={endpoint} /> },
    { title: t.webhooks.events, isNumber: true, cell: ({ events }) => format.number(events.length) },
    { title: t.webhooks.made, cell: ({ createdAt }) => format.moment(createdAt) },
  ];
  return <Table caption={t.webhooks.list} columns={columns} rows={endpoints} idOf={({ id }) => id} />;
}

function Address({ of: { id, url, description, disabledReason } }: { of: Schemas["Endpoint"] }) {
  const t = useMessages();
  return (
    <span className="pile">
      <a href={href(`/webhooks/${id}`)}>
        <Code>{url}</Code>
      </a>
      {disabledReason && <span className="bad">{t.webhooks.reasons[disabledReason]}</span>}
      {description && (
        <span className="hint" dir="auto">
          {description}
        </span>
      )}
    </span>
  );
}
