import { useSession } from "../api/session-context.ts";
import { useMessages } from "../base/messages.ts";
import { href } from "../base/router.ts";
import { Icon, type IconName } from "../parts/Icon.tsx";

type Item = { path: string; title: string; icon: IconName };

export function Navigation({ path, isOpen }: { path: string; isOpen: boolean }) {
  const t = useMessages();
  const { account } = useSession();
  const items: Item[] = [
    { path: "/", title: t.overview.title, icon: "overview" },
    { path: "/compose", title: t.compose.title, icon: "compose" },
    { path: "/messages", title: t.messages.title, icon: "messages" },
    { path: "/wallet", title: t.wallet.title, icon: "wallet" },
    { path: "/keys", title: t.keys.title, icon: "keys" },
    { path: "/settings", title: t.settings.title, icon: "settings" },
  ];
  const isWithin = (item: Item) => path === item.path || (item.path !== "/" && path.startsWith(`${item.path}/`));
  return (
    <nav id="navigation" className={isOpen ? "open" : ""} aria-label={t.app.pages}>
      <ul>
        {items.map((item) => (
          <li key={item.path}>
            <a href={href(item.path)} aria-current={isWithin(item) ? "page" : undefined}>
              <Icon name={item.icon} />
              {item.title}
            </a>
          </li>
        ))}
      </ul>
      <p>
        <bdi>{account?.username}</bdi>
        <a href={t.app.docsAddress}>{t.app.docs}</a>
      </p>
    </nav>
  );
}
