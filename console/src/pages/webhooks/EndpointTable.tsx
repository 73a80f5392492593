import type { Schemas } from "../../api/client.ts";
import { useMessages } from "../../base/messages.ts";
import { href } from "../../base/router.ts";
import { useFormat } from "../../format/format.ts";
import { Code } from "../../parts/Code.tsx";
import { type Column, Table } from "../../parts/Table.tsx";
import { EndpointBadge } from "./EndpointBadge.tsx";

type Endpoint = Schemas["Endpoint"];

export function EndpointTable({ endpoints }: { endpoints: Endpoint[] }) {
  const t = useMessages();
  const format = useFormat();
  const columns: Column<Endpoint>[] = [
    { title: t.webhooks.address, isTitle: true, isWide: true, cell: (endpoint) => <Address of={endpoint} /> },
    { title: t.webhooks.state, cell: (endpoint) => <EndpointBadge of={endpoint} /> },
    { title: t.webhooks.events, isNumber: true, cell: ({ events }) => format.number(events.length) },
    { title: t.webhooks.made, cell: ({ createdAt }) => format.moment(createdAt) },
  ];
  return <Table caption={t.webhooks.list} columns={columns} rows={endpoints} idOf={({ id }) => id} />;
}

function Address({ of: { id, url, description, disabledReason } }: { of: Endpoint }) {
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
