import { type ComponentType, Suspense, useEffect, useState } from "react";
import { useSession } from "../api/session-context.ts";
import { useMessages } from "../base/messages.ts";
import { useRoute } from "../base/router.ts";
import { ImportNotice } from "../pages/import/ImportNotice.tsx";
import { NotFound } from "../pages/NotFound.tsx";
import { Brand } from "../parts/Brand.tsx";
import { Button } from "../parts/Button.tsx";
import { ErrorBoundary } from "../parts/ErrorBoundary.tsx";
import { Icon } from "../parts/Icon.tsx";
import { Loading } from "../parts/Loading.tsx";
import type { NavigationProps } from "./Navigation.tsx";
import type { FoundPage } from "./places.ts";
import { SignOutButton } from "./SignOutButton.tsx";

type Props = {
  pageOf: (path: string) => FoundPage | null;
  Navigation: ComponentType<NavigationProps>;
  /** Whose pages these are. */
  who: string;
};

/** What is around each page: header, navigation, content. */
export function Shell({ pageOf, Navigation, who }: Props) {
  const t = useMessages();
  const session = useSession();
  const { path } = useRoute();
  const page = pageOf(path);
  const [isOpen, setIsOpen] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu of a narrow window closes when the page changes.
  useEffect(() => setIsOpen(false), [path]);
  return (
    <div className="shell">
      <button type="button" className="skip" onClick={() => document.getElementById("content")?.focus()}>
        {t.app.skip}
      </button>
      <header>
        <Brand />
        {session.mode === "test" && <span className="badge warn">{t.app.testMode}</span>}
        <div className="who">
          <span className="account">{who}</span>
          <SignOutButton />
          <Button
            kind="quiet"
            className="menu-button"
            aria-expanded={isOpen}
            aria-controls="navigation"
            onPress={() => setIsOpen(!isOpen)}
          >
            <Icon name={isOpen ? "close" : "menu"} />
            <span className="visually-hidden">{isOpen ? t.app.close : t.app.menu}</span>
          </Button>
        </div>
      </header>
      <div className="frame">
        <Navigation path={path} isOpen={isOpen} />
        <main id="content" tabIndex={-1}>
          <ImportNotice path={path} />
          <ErrorBoundary key={path}>
            <Suspense fallback={<Loading />}>{page ? <page.Component {...page.params} /> : <NotFound />}</Suspense>
          </ErrorBoundary>
        </main>
      </div>
    </div>
  );
}
