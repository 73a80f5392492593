import { useMessages } from "../../../base/messages.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { href } from "../../../base/router.ts";

/** The pages of one account, and what the pages of records say of it. */
export function Tabs({ id, tab }: { id: string; tab: string | undefined }) {
  const t = useMessages();
  const o = useOperatorMessages();
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
