import { useQuery } from "@tanstack/react-query";
import type { Schemas } from "../../../api/client.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { href } from "../../../base/router.ts";
import { useOperatorTexts } from "../../../format/operator-texts.ts";
import { Heading } from "../../../parts/Heading.tsx";
import { Loaded } from "../../../parts/Loaded.tsx";
import { NeedsScope } from "../../../parts/NeedsScope.tsx";
import { accountQuery } from "../queries.ts";
import { AccountKeys } from "./AccountKeys.tsx";
import { AccountMembers } from "./AccountMembers.tsx";
import { AccountState, StateBadges } from "./AccountState.tsx";
import { Balance } from "./Balance.tsx";
import { Details } from "./Details.tsx";
import { Settings } from "./Settings.tsx";

export default function AccountPage({ id, tab }: { id: string; tab?: string }) {
  const o = useOperatorMessages();
  return (
    <NeedsScope scope="admin:read">
      <a className="back" href={href("/accounts")}>
        {o.account.back}
      </a>
      <Loaded query={useQuery(accountQuery(id))}>
        {(account) => (
          <>
            <Heading title={account.fullName}>
              <StateBadges account={account} />
            </Heading>
            <Tabs id={id} tab={tab} />
            <Tab account={account} tab={tab} />
          </>
        )}
      </Loaded>
    </NeedsScope>
  );
}

function Tab({ account, tab }: { account: Schemas["Account"]; tab: string | undefined }) {
  if (tab === "settings") return <Settings account={account} />;
  if (tab === "keys") return <AccountKeys account={account} />;
  if (tab === "members") return <AccountMembers account={account} />;
  return (
    <>
      <Balance account={account} />
      <AccountState account={account} />
      <Details account={account} />
    </>
  );
}

/** The pages of one account, and what the pages of records say of it. */
function Tabs({ id, tab }: { id: string; tab: string | undefined }) {
  const { t, o } = useOperatorTexts();
  const own = [
    { tab: undefined, title: o.account.overview, to: href(`/accounts/${id}`) },
    { tab: "settings", title: o.account.settings, to: href(`/accounts/${id}/settings`) },
    { tab: "keys", title: t.keys.title, to: href(`/accounts/${id}/keys`) },
    { tab: "members", title: t.members.title, to: href(`/accounts/${id}/members`) },
  ];
  const records = [
    { title: o.pages.usage, to: href("/usage", { account: id }) },
    { title: o.pages.audit, to: href("/audit", { account: id }) },
    { title: o.pages.reconciliation, to: href("/reconciliation", { account: id }) },
  ];
  return (
    <nav className="tabs" aria-label={o.account.pages}>
      <ul>
        {own.map(({ tab: name, title, to }) => (
          <li key={to}>
            <a href={to} aria-current={name === tab ? "page" : undefined}>
              {title}
            </a>
          </li>
        ))}
        {records.map(({ title, to }) => (
          <li key={to}>
            <a href={to}>{title}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
