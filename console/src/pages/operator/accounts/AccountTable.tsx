import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { useFormat } from "../../../format/format.ts";
import { Badge } from "../../../parts/Badge.tsx";
import { Code } from "../../../parts/Code.tsx";
import { type Column, Table } from "../../../parts/Table.tsx";
import type { AccountSummary } from "./queries.ts";

export function AccountTable({ accounts }: { accounts: AccountSummary[] }) {
  const o = useOperatorMessages();
  const format = useFormat();
  const columns: Column<AccountSummary>[] = [
    { title: o.accounts.fullName, isWide: true, isTitle: true, cell: ({ fullName }) => <b dir="auto">{fullName}</b> },
    { title: o.accounts.username, cell: ({ username }) => <Code>{username}</Code> },
    {
      title: o.accounts.state,
      cell: ({ status }) => <Badge tone={status === "ACTIVE" ? "good" : "bad"}>{o.accounts.states[status]}</Badge>,
    },
    {
      title: o.accounts.balance,
      isNumber: true,
      cell: ({ wallet }) => format.money(wallet.availableBalance, wallet.unit),
    },
  ];
  return <Table caption={o.accounts.list} columns={columns} rows={accounts} idOf={({ id }) => id} />;
}
