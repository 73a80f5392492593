import { type ReactNode, useState } from "react";
import type { Scope } from "../api/session-context.ts";
import { href, type Query } from "../base/router.ts";
import { Button } from "./Button.tsx";
import { Heading } from "./Heading.tsx";
import { NeedsLive } from "./NeedsLive.tsx";
import { NeedsScope } from "./NeedsScope.tsx";

type Props = {
  title: string;
  /** What the page is for. */
  lead?: string;
  /** The page that this one belongs to: its address, the way there in words, and what of its address follows the `?`. */
  back?: [to: string, text: string, query?: Query];
  /** What the page needs. Who lacks it is told so. */
  scope: Scope;
  /** Whether the page has numbers of people: then a test key sees none of it. */
  hasPeople?: boolean;
  /** What stands beside the title. */
  acts?: ReactNode;
  /** What the button says that opens the form. Not there for who may not. */
  adds?: string | false;
  /** The form of something new. */
  form?: (close: () => void) => ReactNode;
  /** What stands above that form. */
  above?: ReactNode;
  children: ReactNode;
};

/** A page with its title. What it shows and what it makes may need different scopes, so its form stands by itself. */
export function Page({ title, lead, back, scope, hasPeople, acts, adds, form, above, children }: Props) {
  const [isAdding, setIsAdding] = useState(false);
  return (
    <>
      {back && (
        <Back to={back[0]} query={back[2]}>
          {back[1]}
        </Back>
      )}
      <Heading title={title}>
        {acts}
        {adds && !isAdding && <Button onPress={() => setIsAdding(true)}>{adds}</Button>}
      </Heading>
      {lead && <p className="faint">{lead}</p>}
      {above}
      {isAdding && adds && form?.(() => setIsAdding(false))}
      <NeedsScope scope={scope}>{hasPeople ? <NeedsLive>{children}</NeedsLive> : children}</NeedsScope>
    </>
  );
}

type BackProps = { to: string; query?: Query | undefined; children: ReactNode };

/** The way back to the page that this one belongs to. */
export function Back({ to, query, children }: BackProps) {
  return (
    <p className="back">
      <a href={href(to, query)}>{children}</a>
    </p>
  );
}
