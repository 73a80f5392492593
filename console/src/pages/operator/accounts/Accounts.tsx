import { keepPreviousData } from "@tanstack/react-query";
import { useState } from "react";
import { client, dataOf, type Schemas } from "../../../api/client.ts";
import { useMay } from "../../../api/session-context.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { goTo, useRoute } from "../../../base/router.ts";
import { useOperatorTexts } from "../../../format/operator-texts.ts";
import { Badge } from "../../../parts/Badge.tsx";
import { ChangeForm } from "../../../parts/ChangeForm.tsx";
import { Code } from "../../../parts/Code.tsx";
import { Empty } from "../../../parts/Empty.tsx";
import { faultAt } from "../../../parts/faults.ts";
import { Listing, usePage } from "../../../parts/Listing.tsx";
import { Page } from "../../../parts/Page.tsx";
import { type Column, Table } from "../../../parts/Table.tsx";
import { TextField } from "../../../parts/TextField.tsx";
import { PlanSelect } from "../plans/PlanSelect.tsx";
import { AccountLink } from "../shared/AccountLink.tsx";
import { Clip } from "../shared/Clip.tsx";
import { NameFilter } from "../shared/NameFilter.tsx";

export default function Accounts() {
  const o = useOperatorMessages();
  const mayCreate = useMay("admin:accounts");
  return (
    <Page
      title={o.pages.accounts}
      scope="admin:read"
      adds={mayCreate && o.accounts.create}
      form={(close) => <CreateForm onClose={close} />}
    >
      <NameFilter label={o.accounts.search} />
      <Found />
    </Page>
  );
}

function Found() {
  const o = useOperatorMessages();
  const { query } = useRoute();
  const q = query.get("q") ?? "";
  const list = usePage(
    ["accounts", "list"],
    "/admin/accounts",
    { query: { q } },
    { placeholderData: keepPreviousData },
  );
  return (
    <Listing
      query={list}
      empty={<Empty title={q ? o.accounts.noneFound : o.accounts.none} text={!q && o.accounts.noneText} />}
    >
      {(data) => <AccountTable accounts={data} />}
    </Listing>
  );
}

function AccountTable({ accounts }: { accounts: Schemas["AccountSummary"][] }) {
  const { o, format } = useOperatorTexts();
  const columns: Column<Schemas["AccountSummary"]>[] = [
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

function State({ of: { status, sendingEnabled, closedAt } }: { of: Schemas["AccountSummary"] }) {
  const o = useOperatorMessages();
  if (closedAt) return <Badge tone="bad">{o.closing.badge}</Badge>;
  if (status === "INACTIVE") return <Badge tone="bad">{o.accounts.states.INACTIVE}</Badge>;
  if (!sendingEnabled) return <Badge tone="bad">{o.accounts.sendingOff}</Badge>;
  return <Badge tone="good">{o.accounts.states.ACTIVE}</Badge>;
}

function CreateForm({ onClose }: { onClose: () => void }) {
  const o = useOperatorMessages();
  const [username, setUsername] = useState("");
  const [fullName, setFullName] = useState("");
  const [plan, setPlan] = useState("default");
  const isWhole = username.trim() !== "" && fullName.trim() !== "";
  return (
    <ChangeForm
      title={o.accounts.create}
      submit={o.accounts.createSubmit}
      isWhole={isWhole}
      ask={() =>
        dataOf(client.POST("/admin/accounts", { body: { username: username.trim(), fullName: fullName.trim(), plan } }))
      }
      stale={[["accounts"]]}
      onDone={({ id }) => goTo(`/accounts/${id}`)}
      onClose={onClose}
    >
      {(isTried, error) => (
        <>
          <TextField
            label={o.accounts.fullName}
            error={isTried && fullName.trim() === "" ? o.form.missing : faultAt(error, "/fullName")}
            value={fullName}
            onChange={setFullName}
            autoFocus
          />
          <TextField
            label={o.accounts.username}
            hint={o.accounts.usernameHint}
            error={isTried && username.trim() === "" ? o.form.missing : faultAt(error, "/username")}
            isCode
            value={username}
            onChange={setUsername}
          />
          <PlanSelect value={plan} onChange={setPlan} />
        </>
      )}
    </ChangeForm>
  );
}
