import type { OperatorMessages } from "../../messages/operator/en.ts";
import { useSession } from "../api/session-context.ts";
import { useOperatorTexts } from "../format/operator-texts.ts";
import type { IconName } from "../parts/Icon.tsx";
import { Menu, type MenuGroup } from "./Menu.tsx";
import type { NavigationProps } from "./Navigation.tsx";

type Row = { path: string; page: keyof OperatorMessages["pages"] & IconName };
type Group = { name: keyof OperatorMessages["groups"]; rows: Row[] };

const groups: Group[] = [
  {
    name: "service",
    rows: [
      { path: "/", page: "overview" },
      { path: "/carriers", page: "carriers" },
      { path: "/lines", page: "lines" },
      { path: "/dead-letters", page: "deadLetters" },
      { path: "/sending", page: "sending" },
    ],
  },
  {
    name: "customers",
    rows: [
      { path: "/accounts", page: "accounts" },
      { path: "/plans", page: "plans" },
      { path: "/patterns", page: "patterns" },
      { path: "/credits", page: "credits" },
    ],
  },
  {
    name: "records",
    rows: [
      { path: "/usage", page: "usage" },
      { path: "/audit", page: "audit" },
      { path: "/reconciliation", page: "reconciliation" },
      { path: "/erasures", page: "erasures" },
    ],
  },
  {
    name: "operators",
    rows: [
      { path: "/keys", page: "keys" },
      { path: "/members", page: "members" },
    ],
  },
];

/** The pages of an operator. */
export function OperatorNavigation({ path, isOpen }: NavigationProps) {
  const { t, o } = useOperatorTexts();
  const { title } = useSession();
  const shown: MenuGroup[] = groups.map(({ name, rows }) => ({
    title: o.groups[name],
    items: rows.map(({ path, page }) => ({ path, title: o.pages[page], icon: page })),
  }));
  const settings: MenuGroup = { items: [{ path: "/settings", title: t.settings.title, icon: "settings" }] };
  return <Menu path={path} isOpen={isOpen} groups={[...shown, settings]} who={title} />;
}
