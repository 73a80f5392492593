import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Schemas } from "../../../api/client.ts";
import { useMay } from "../../../api/session-context.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { href } from "../../../base/router.ts";
import { useOperatorTexts } from "../../../format/operator-texts.ts";
import { useSpans } from "../../../format/spans.ts";
import { Button } from "../../../parts/Button.tsx";
import { Code } from "../../../parts/Code.tsx";
import { Facts } from "../../../parts/Facts.tsx";
import { Heading } from "../../../parts/Heading.tsx";
import { Loaded } from "../../../parts/Loaded.tsx";
import { NeedsScope } from "../../../parts/NeedsScope.tsx";
import { Back } from "../../../parts/Page.tsx";
import { Tiles } from "../../../parts/Tiles.tsx";
import { accountQuery, linesOfAccountQuery } from "../queries.ts";
import { LineLink } from "../shared/Links.tsx";
import { AccountLedger } from "../support/AccountLedger.tsx";
import { AccountMessages } from "../support/AccountMessages.tsx";
import { AccountWebhooks } from "../support/AccountWebhooks.tsx";
import { AccountKeys } from "./AccountKeys.tsx";
import { AccountMembers } from "./AccountMembers.tsx";
import { AccountState, StateBadges } from "./AccountState.tsx";
import { CreditForm } from "./CreditForm.tsx";
import { Settings } from "./Settings.tsx";
import { useUnsentTile } from "./Unsent.tsx";

export default function AccountPage({ id, tab }: { id: string; tab?: string }) {
  const o = useOperatorMessages();
  return (
    <NeedsScope scope="admin:read">
      <Back to="/accounts">{o.account.back}</Back>
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
  if (tab === "messages") return <AccountMessages account={account} />;
  if (tab === "ledger") return <AccountLedger account={account} />;
  if (tab === "webhooks") return <AccountWebhooks account={account} />;
  if (account.closedAt && tab) return <Closed at={account.closedAt} />;
  if (tab === "settings") return <Settings account={account} />;
  if (tab === "keys") return <AccountKeys account={account} />;
  if (tab === "members") return <AccountMembers account={account} />;
  return (
    <>
      <Balance account={account} />
      {account.closedAt ? <Closed at={account.closedAt} /> : <AccountState account={account} />}
      <Details account={account} />
    </>
  );
}

function Closed({ at }: { at: string }) {
  const { o, format } = useOperatorTexts();
  return <p className="state">{o.closing.closed(format.moment(at))}</p>;
}

/** The pages of one account, and what the pages of records say of it. */
function Tabs({ id, tab }: { id: string; tab: string | undefined }) {
  const { t, o } = useOperatorTexts();
  const own = [
    { tab: undefined, title: o.account.overview, to: href(`/accounts/${id}`) },
    { tab: "messages", title: t.messages.title, to: href(`/accounts/${id}/messages`) },
    { tab: "ledger", title: t.wallet.ledger, to: href(`/accounts/${id}/ledger`) },
    { tab: "webhooks", title: t.webhooks.title, to: href(`/accounts/${id}/webhooks`) },
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

function Details({ account }: { account: Schemas["Account"] }) {
  const { o, format } = useOperatorTexts();
  const { span } = useSpans();
  const { id, username, createdAt, destinations, storage, rateLimit, testRateLimit, recipientLimit } = account;
  const window = ({ limit, windowSeconds }: Schemas["Account"]["recipientLimit"]) =>
    o.account.inWindow(format.number(limit), span(windowSeconds));
  return (
    <section className="card stack">
      <h2>{o.account.details}</h2>
      <Facts
        facts={[
          [o.accounts.username, <Code key="username">{username}</Code>],
          [o.account.made, format.moment(createdAt)],
          [o.account.destinations, <Code key="destinations">{destinations.map((to) => `+${to}`).join(" ")}</Code>],
          [o.account.storage, format.percent(storage.bytes / storage.maxBytes)],
          [o.account.rateLimit, window(rateLimit)],
          [o.account.testRateLimit, window(testRateLimit)],
          [o.account.recipientLimit, recipientLimit.limit === 0 ? o.account.noLimit : window(recipientLimit)],
          [
            o.account.id,
            <Code key="id" className="uid">
              {id}
            </Code>,
          ],
        ]}
      />
      <Lines id={id} />
    </section>
  );
}

function Lines({ id }: { id: string }) {
  const o = useOperatorMessages();
  return (
    <>
      <h3>{o.account.lines}</h3>
      <Loaded query={useQuery(linesOfAccountQuery(id))}>
        {(lines) =>
          lines.length === 0 ? (
            <p className="faint">{o.account.noLines}</p>
          ) : (
            <ul className="inline">
              {lines.map(({ number, shared }) => (
                <li key={number}>
                  <LineLink number={number} />
                  {shared && <span className="faint"> {o.account.shared}</span>}
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </>
  );
}

function Balance({ account }: { account: Schemas["Account"] }) {
  const { t, o, format } = useOperatorTexts();
  const mayCredit = useMay("admin:money");
  const [isCrediting, setIsCrediting] = useState(false);
  const { wallet, spentToday, dailySpend, plan, defaultLine } = account;
  const money = (amount: number) => format.money(amount, wallet.unit);
  const tiles = [
    { title: t.wallet.available, value: money(wallet.availableBalance) },
    { title: t.wallet.reserved, value: money(wallet.lockedBalance) },
    useUnsentTile(account.id),
    {
      title: o.account.spentToday,
      value: money(spentToday),
      note: dailySpend === null ? o.account.noDailySpend : o.account.ofDailySpend(money(dailySpend)),
    },
    {
      title: o.account.plan,
      value: plan.title,
      note: defaultLine ? o.account.fromLine(format.digits(defaultLine)) : o.account.noDefaultLine,
    },
  ];
  return (
    <>
      <Tiles tiles={tiles} />
      {mayCredit &&
        !account.closedAt &&
        (isCrediting ? (
          <CreditForm account={account} onClose={() => setIsCrediting(false)} />
        ) : (
          <div>
            <Button onPress={() => setIsCrediting(true)}>{o.credit.open}</Button>
          </div>
        ))}
    </>
  );
}
