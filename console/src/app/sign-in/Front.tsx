import type { ReactNode } from "react";
import { Brand } from "../../parts/Brand.tsx";
import { LanguageLink } from "./LanguageLink.tsx";

/** A page without navigation, for who is not in yet. */
export function Front({ children, footer }: { children: ReactNode; footer?: ReactNode }) {
  return (
    <div className="sign-in">
      <header>
        <Brand />
        <LanguageLink />
      </header>
      <main className="card">{children}</main>
      {footer && <footer>{footer}</footer>}
    </div>
  );
}
