import type { Schemas } from "../../../api/client.ts";
import { href } from "../../../base/router.ts";
import { useOperatorTexts } from "../../../format/operator-texts.ts";
import { Code } from "../../../parts/Code.tsx";
import { Empty } from "../../../parts/Empty.tsx";
import { Filters, useFilters } from "../../../parts/Filters.tsx";
import { Listing, usePage } from "../../../parts/Listing.tsx";
import { FilterSelect } from "../../../parts/Select.tsx";
import { type Column, Table } from "../../../parts/Table.tsx";
import { DeliveryBadge } from "../../webhooks/DeliveryView.tsx";
import { EndpointBadge } from "../../webhooks/EndpointBadge.tsx";

type Of = { id: string; mode: string };

const useWebhookFilters = () => useFilters(["mode", "webhook"]);

/** The webhooks of an account, and what became of what was sent to the one that the address names. */
export function AccountWebhooks({ account: { id } }: { account: Schemas["Account"] }) {
  const { t, o } = useOperatorTexts();
  const { at, clear, filters } = useWebhookFilters();
  const choices = [
    { id: "live", text: t.modes.live },
    { id: "test", text: t.modes.test },
  ];
  return (
    <>
      <Filters onClear={clear}>
        <FilterSelect label={o.support.mode} choices={choices} {...at("mode")} />
      </Filters>
      <Endpoints id={id} mode={filters.mode} />
      {filters.webhook && <Log id={id} mode={filters.mode} webhook={filters.webhook} />}
    </>
  );
}

function Endpoints({ id, mode }: Of) {
  const { t, o, format } = useOperatorTexts();
  const list = usePage(["support", "webhooks"], "/admin/accounts/{id}/webhooks", { path: { id }, query: { mode } });
  const columns: Column<Schemas["Endpoint"]>[] = [
    {
      title: t.webhooks.address,
      isTitle: true,
      isWide: true,
      cell: ({ id: webhook, url }) => (
        <a href={href(`/accounts/${id}/webhooks`, { mode, webhook })}>
          <Code>{url}</Code>
        </a>
      ),
    },
    { title: t.webhooks.state, cell: (endpoint) => <EndpointBadge of={endpoint} /> },
    {
      title: o.support.failingSince,
      cell: ({ failingSince }) => (failingSince ? format.moment(failingSince) : "–"),
    },
  ];
  return (
    <Listing query={list} empty={<Empty title={t.webhooks.none} />}>
      {(data) => <Table caption={t.webhooks.title} columns={columns} rows={data} idOf={({ id }) => id} />}
    </Listing>
  );
}

function Log({ id, mode, webhook }: Of & { webhook: string }) {
  const { t, format } = useOperatorTexts();
  const list = usePage(["support", "deliveries"], "/admin/accounts/{id}/webhooks/{webhook}/deliveries", {
    path: { id, webhook },
    query: { mode },
  });
  const columns: Column<Schemas["Delivery"]>[] = [
    { title: t.webhooks.event, isTitle: true, isWide: true, cell: ({ type }) => t.eventTypes[type] },
    { title: t.webhooks.happened, cell: ({ createdAt }) => format.moment(createdAt) },
    { title: t.webhooks.state, cell: ({ status }) => <DeliveryBadge status={status} /> },
    {
      title: t.webhooks.answer,
      cell: ({ responseStatus, error }) =>
        [responseStatus && format.digits(String(responseStatus)), error && t.deliveryErrors[error]]
          .filter(Boolean)
          .join(" · ") || "–",
    },
    { title: t.webhooks.tries, isNumber: true, cell: ({ attempts }) => format.number(attempts) },
  ];
  return (
    <section className="card stack">
      <h2>{t.webhooks.deliveries}</h2>
      <Listing query={list} isPart empty={<Empty title={t.webhooks.noDeliveries} />}>
        {(data) => <Table caption={t.webhooks.deliveries} columns={columns} rows={data} idOf={({ id }) => id} />}
      </Listing>
    </section>
  );
}
