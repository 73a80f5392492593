import type { Messages } from "../../messages/en.ts";
import { type Scope, useSession } from "../api/session-context.ts";
import { useMessages } from "../base/messages.ts";
import type { IconName } from "../parts/Icon.tsx";
import { Menu, type MenuGroup } from "./Menu.tsx";

export type NavigationProps = { path: string; isOpen: boolean };

/** A page in the menu. Who lacks its scope does not see it, nor does a test key see one that has numbers of people. */
type Row = { path: string; page: keyof Messages & IconName; scope?: Scope; hasPeople?: true };
type Group = { name?: keyof Messages["menuGroups"]; rows: Row[] };

const groups: Group[] = [
  { rows: [{ path: "/", page: "overview" }] },
  {
    name: "send",
    rows: [
      { path: "/compose", page: "compose", scope: "sms:send" },
      { path: "/campaigns", page: "campaigns", scope: "sms:read" },
      { path: "/patterns", page: "patterns", scope: "pattern" },
    ],
  },
  {
    name: "people",
    rows: [
      { path: "/phonebooks", page: "phonebooks", scope: "phonebook" },
      { path: "/blacklist", page: "blacklist", scope: "blacklist", hasPeople: true },
      { path: "/erasures", page: "erasures", scope: "erasure", hasPeople: true },
    ],
  },
  {
    name: "records",
    rows: [
      { path: "/messages", page: "messages", scope: "sms:read" },
      { path: "/inbound", page: "inbound", scope: "sms:read", hasPeople: true },
      { path: "/verify", page: "verify", scope: "verify" },
      { path: "/wallet", page: "wallet", scope: "account:read" },
    ],
  },
  {
    name: "account",
    rows: [
      { path: "/members", page: "members", scope: "keys" },
      { path: "/keys", page: "keys", scope: "keys" },
      { path: "/webhooks", page: "webhooks", scope: "webhook" },
      { path: "/settings", page: "settings" },
    ],
  },
];

/** The pages of a customer. A group of which the person may see nothing is not there. */
export function Navigation({ path, isOpen }: NavigationProps) {
  const t = useMessages();
  const { account, scopes, mode } = useSession();
  const maySee = ({ scope, hasPeople }: Row) => (!scope || scopes.includes(scope)) && (!hasPeople || mode === "live");
  const shown: MenuGroup[] = groups.map(({ name, rows }) => ({
    ...(name && { title: t.menuGroups[name] }),
    items: rows.filter(maySee).map(({ path, page }) => ({ path, title: t[page].title, icon: page })),
  }));
  return (
    <Menu
      path={path}
      isOpen={isOpen}
      groups={shown.filter(({ items }) => items.length > 0)}
      who={account?.username ?? ""}
    />
  );
}
