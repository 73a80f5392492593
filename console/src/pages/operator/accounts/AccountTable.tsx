import type { Schemas } from "../../../api/client.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { useFormat } from "../../../format/format.ts";
import { Badge } from "../../../parts/Badge.tsx";
import { Code } from "../../../parts/Code.tsx";
import { type Column, Table } from "../../../parts/Table.tsx";
import { AccountLink } from "../shared/AccountLink.tsx";
import { Clip } from "../shared/Clip.tsx";

type AccountSummary = Schemas["AccountSummary"];

export function AccountTable({ accounts }: { accounts: AccountSummary[] }) {
  const o = useOperatorMessages();
  const format = useFormat();
  const columns: Column<AccountSummary>[] = [
    {
      title: o.accounts.fullName,
      isWide: true,
      isTitle: true,
      cell: ({ id, fullName }) => <AccountLink id={id} name={fullName} />,
    },
    { title: o.accounts.username, cell: ({ username }) => <Clip isCode>{username}</Clip> },
    { title: o.accounts.state, cell: (account) => <State of={account} /> },
    { title: o.account.plan, cell: ({ plan }) => <Clip>{plan.title}</Clip> },
    {
      title: o.account.defaultLine,
      cell: ({ defaultLine }) => <Code>{defaultLine ? format.digits(defaultLine) : "–"}</Code>,
    },
    {
      title: o.accounts.balance,
      isNumber: true,
      cell: ({ wallet }) => format.money(wallet.availableBalance, wallet.unit),
    },
  ];
  return <Table caption={o.pages.accounts} columns={columns} rows={accounts} idOf={({ id }) => id} />;
}

function State({ of: { status, sendingEnabled } }: { of: AccountSummary }) {
  const o = useOperatorMessages();
  if (status === "INACTIVE") return <Badge tone="bad">{o.accounts.states.INACTIVE}</Badge>;
  if (!sendingEnabled) return <Badge tone="bad">{o.accounts.sendingOff}</Badge>;
  return <Badge tone="good">{o.accounts.states.ACTIVE}</Badge>;
}
