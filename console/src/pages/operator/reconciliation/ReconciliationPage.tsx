import { keepPreviousData } from "@tanstack/react-query";
import type { Schemas } from "../../../api/client.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { useRoute } from "../../../base/router.ts";
import { useOperatorTexts } from "../../../format/operator-texts.ts";
import { Badge } from "../../../parts/Badge.tsx";
import { Button } from "../../../parts/Button.tsx";
import { Empty } from "../../../parts/Empty.tsx";
import { Listing, usePage } from "../../../parts/Listing.tsx";
import { Page } from "../../../parts/Page.tsx";
import { type Column, Table } from "../../../parts/Table.tsx";
import { AccountLink } from "../shared/AccountLink.tsx";
import { NameFilter } from "../shared/NameFilter.tsx";

export default function ReconciliationPage() {
  const o = useOperatorMessages();
  return (
    <Page title={o.pages.reconciliation} lead={o.reconciliation.lead} scope="admin:read">
      <NameFilter label={o.reconciliation.account} name="account" />
      <Found />
    </Page>
  );
}

/** Each account of a page is checked when it is asked for, so a page has few of them, and is not asked for by itself. */
const aPage = 20;

function Found() {
  const o = useOperatorMessages();
  const { query } = useRoute();
  const list = usePage(
    ["reconciliation"],
    "/admin/reconciliation",
    { query: { limit: aPage, account: query.get("account") } },
    { refetchOnWindowFocus: false, placeholderData: keepPreviousData },
  );
  return (
    <Listing query={list} empty={<Empty title={o.reconciliation.none} />}>
      {(data) => (
        <>
          <Checked accounts={data} />
          <div className="actions">
            <Button kind="quiet" isPending={list.isFetching} onPress={() => void list.refetch()}>
              {list.isFetching ? o.reconciliation.checking : o.reconciliation.again}
            </Button>
          </div>
        </>
      )}
    </Listing>
  );
}

function Checked({ accounts }: { accounts: Schemas["Reconciliation"][] }) {
  const o = useOperatorMessages();
  const columns: Column<Schemas["Reconciliation"]>[] = [
    {
      title: o.credits.account,
      isTitle: true,
      cell: ({ account, username }) => <AccountLink id={account} name={username} />,
    },
    { title: o.reconciliation.now, isWide: true, cell: ({ now, error }) => <ReportView report={now} error={error} /> },
    { title: o.reconciliation.nightly, cell: ({ nightly }) => <ReportView report={nightly} error={null} /> },
  ];
  return <Table caption={o.pages.reconciliation} columns={columns} rows={accounts} idOf={({ account }) => account} />;
}

/** That all agrees is said only if all was checked. */
function Verdict({ differences, isWhole }: { differences: number; isWhole: boolean }) {
  const { o, format } = useOperatorTexts();
  if (differences > 0) return <Badge tone="bad">{o.reconciliation.differs(format.number(differences))}</Badge>;
  if (!isWhole) return <Badge tone="warn">{o.reconciliation.notWhole}</Badge>;
  return <Badge tone="good">{o.reconciliation.agrees}</Badge>;
}

/** What a check has found: that all agrees, or each thing that does not. */
function ReportView({ report, error }: { report: Schemas["Report"] | null; error: string | null }) {
  const { o, format } = useOperatorTexts();
  if (error) return <span className="bad">{error}</span>;
  if (!report) return <span className="faint">{o.reconciliation.never}</span>;
  const { differences, unchecked, checkedAt } = report;
  return (
    <div className="report">
      <p>
        <Verdict differences={differences.length} isWhole={unchecked.length === 0} />{" "}
        <span className="faint">{format.moment(checkedAt)}</span>
      </p>
      <ul>
        {differences.map(({ check, detail }) => (
          <li key={`${check} ${detail}`}>
            <b>{o.reconciliation.checks[check]}</b> <span dir="auto">{detail}</span>
          </li>
        ))}
        {unchecked.map((check) => (
          <li key={check} className="faint">
            {o.reconciliation.unchecked(o.reconciliation.checks[check])}
          </li>
        ))}
      </ul>
    </div>
  );
}
