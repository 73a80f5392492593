import { useSession } from "../api/session-context.ts";
import { useMessages } from "../base/messages.ts";
import { Menu, type MenuItem } from "./Menu.tsx";

export type NavigationProps = { path: string; isOpen: boolean };

/** The pages of a customer. */
export function Navigation({ path, isOpen }: NavigationProps) {
  const t = useMessages();
  const { account } = useSession();
  const items: MenuItem[] = [
    { path: "/", title: t.overview.title, icon: "overview" },
    { path: "/compose", title: t.compose.title, icon: "compose" },
    { path: "/messages", title: t.messages.title, icon: "messages" },
    { path: "/campaigns", title: t.campaigns.title, icon: "campaigns" },
    { path: "/phonebooks", title: t.phonebooks.title, icon: "phonebooks" },
    { path: "/wallet", title: t.wallet.title, icon: "wallet" },
    { path: "/keys", title: t.keys.title, icon: "keys" },
    { path: "/patterns", title: t.patterns.title, icon: "patterns" },
    { path: "/inbound", title: t.inbound.title, icon: "inbound" },
    { path: "/blacklist", title: t.blacklist.title, icon: "blacklist" },
    { path: "/webhooks", title: t.webhooks.title, icon: "webhooks" },
    { path: "/verify", title: t.verify.title, icon: "verify" },
    { path: "/erasures", title: t.erasures.title, icon: "erasures" },
    { path: "/members", title: t.members.title, icon: "members" },
    { path: "/settings", title: t.settings.title, icon: "settings" },
  ];
  return <Menu path={path} isOpen={isOpen} groups={[{ items }]} who={account?.username ?? ""} />;
}
