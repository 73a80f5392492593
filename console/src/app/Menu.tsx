import { useId } from "react";
import { useMessages } from "../base/messages.ts";
import { href } from "../base/router.ts";
import { Icon, type IconName } from "../parts/Icon.tsx";
import { SignOutButton } from "./SignOutButton.tsx";

export type MenuItem = { path: string; title: string; icon: IconName };
export type MenuGroup = { title?: string; items: MenuItem[] };

type Props = { path: string; isOpen: boolean; groups: MenuGroup[]; who: string };

/** The links to the pages, in groups if they are many. */
export function Menu({ path, isOpen, groups, who }: Props) {
  const t = useMessages();
  return (
    <nav id="navigation" className={isOpen ? "open" : ""} aria-label={t.app.pages}>
      <div>
        {groups.map((group) => (
          <Group key={group.title ?? ""} path={path} group={group} />
        ))}
      </div>
      <SignOutButton />
      <p>
        <bdi>{who}</bdi>
        <a href={t.app.docsAddress}>{t.app.docs}</a>
      </p>
    </nav>
  );
}

function Group({ path, group: { title, items } }: { path: string; group: MenuGroup }) {
  const id = useId();
  const isWithin = (item: MenuItem) => path === item.path || (item.path !== "/" && path.startsWith(`${item.path}/`));
  return (
    <>
      {title && (
        <h2 className="group" id={id}>
          {title}
        </h2>
      )}
      <ul aria-labelledby={title && id}>
        {items.map((item) => (
          <li key={item.path}>
            <a href={href(item.path)} aria-current={isWithin(item) ? "page" : undefined}>
              <Icon name={item.icon} />
              {item.title}
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}
