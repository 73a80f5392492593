import type { ReactNode } from "react";
import { href, type Query } from "../base/router.ts";

type Props = { to: string; query?: Query | undefined; children: ReactNode };

/** The way back to the page that this one belongs to. */
export function Back({ to, query, children }: Props) {
  return (
    <p className="back">
      <a href={href(to, query)}>{children}</a>
    </p>
  );
}
