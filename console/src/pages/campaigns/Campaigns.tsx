import { useMay } from "../../api/session-context.ts";
import { useMessages } from "../../base/messages.ts";
import { href } from "../../base/router.ts";
import { useTexts } from "../../format/texts.ts";
import { Badge } from "../../parts/Badge.tsx";
import { directionOf } from "../../parts/direction.ts";
import { Empty } from "../../parts/Empty.tsx";
import { Listing, usePage } from "../../parts/Listing.tsx";
import { Page } from "../../parts/Page.tsx";
import { type Column, numbers, Table } from "../../parts/Table.tsx";
import { CampaignBadge } from "./CampaignBadge.tsx";
import { costOf, sentOf } from "./numbers.ts";
import type { Campaign } from "./queries.ts";

/** How often the list is asked for again while somebody looks at it, ms. */
const often = 15_000;

export default function Campaigns() {
  const t = useMessages();
  return (
    <Page title={t.campaigns.title} lead={t.campaigns.lead} scope="sms:read" acts={<NewLink />}>
      <List />
    </Page>
  );
}

/** The way to a new campaign, for who may send one. */
function NewLink() {
  const t = useMessages();
  return (
    useMay("sms:send") && (
      <a className="button main" href={href("/campaigns/new")}>
        {t.campaigns.create}
      </a>
    )
  );
}

function List() {
  const t = useMessages();
  return (
    <Listing
      query={usePage(["campaigns", "list"], "/campaigns", {}, { refetchInterval: often })}
      empty={<Empty title={t.campaigns.none} text={t.campaigns.noneText} />}
      isEmptyWhole
    >
      {(data) => <CampaignTable campaigns={data} />}
    </Listing>
  );
}

function CampaignTable({ campaigns }: { campaigns: Campaign[] }) {
  const { t, format } = useTexts();
  const maySend = useMay("sms:send");
  const columns: Column<Campaign>[] = [
    { title: t.campaigns.name, isWide: true, isTitle: true, cell: (campaign) => <TitleLink of={campaign} /> },
    { title: t.campaigns.state, cell: (campaign) => <CampaignBadge of={campaign} /> },
    numbers(t.campaigns.people, ({ counted }) => format.number(counted.people)),
    numbers(t.campaigns.progress, (campaign) => <Sent of={campaign} />),
    numbers(t.campaigns.delivered, ({ progress }) => format.number(progress.delivered)),
    numbers(t.campaigns.cost, (campaign) => format.money(costOf(campaign), campaign.unit)),
    { title: t.campaigns.made, cell: ({ createdAt }) => format.moment(createdAt) },
  ];
  if (maySend) columns.push({ title: t.campaign.copy, cell: (campaign) => <CopyLink of={campaign} /> });
  return <Table caption={t.campaigns.list} columns={columns} rows={campaigns} idOf={({ id }) => id} />;
}

/** The way to a new campaign that begins as this one is. */
function CopyLink({ of: { id, title } }: { of: Campaign }) {
  const t = useMessages();
  return (
    <a href={href(`/campaigns/${id}/copy`)} aria-label={t.campaign.copyOf(title)}>
      {t.campaign.copy}
    </a>
  );
}

function TitleLink({ of: { id, title, test, simulated, resendOf } }: { of: Campaign }) {
  const t = useMessages();
  return (
    <span className="text-link">
      <a href={href(`/campaigns/${id}`)} dir={directionOf(title)}>
        {title}
      </a>
      {resendOf && <Badge tone="calm">{t.campaigns.resend}</Badge>}
      {test && <Badge tone="calm">{t.campaigns.test}</Badge>}
      {simulated && !test && <Badge tone="calm">{t.messages.simulated}</Badge>}
    </span>
  );
}

function Sent({ of }: { of: Campaign }) {
  const { t, format } = useTexts();
  const { sent, all } = sentOf(of);
  return of.startedAt ? t.campaigns.sentOf(format.number(sent), format.number(all)) : "–";
}
