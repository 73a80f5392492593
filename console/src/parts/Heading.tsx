import { type ReactNode, useEffect, useRef } from "react";
import { useMessages } from "../base/messages.ts";

let isFirstPage = true;

/** The heading of a page. It names the page in the window's title, and takes the focus when another page was there before. */
export function Heading({ title, children }: { title: string; children?: ReactNode }) {
  const t = useMessages();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const before = document.title;
    document.title = `${title} – ${t.app.console}`;
    // The sign-in may stand before a page for a while: then the page's title comes back.
    return () => {
      document.title = before;
    };
  }, [title, t]);
  useEffect(() => {
    if (!isFirstPage) heading.current?.focus({ preventScroll: true });
    if (!isFirstPage) scrollTo(0, 0);
    isFirstPage = false;
  }, []);
  return (
    <div className="heading">
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {children}
    </div>
  );
}
