import { useMessages } from "../base/messages.ts";
import { href } from "../base/router.ts";
import { Heading } from "../parts/Heading.tsx";

export function NotFound() {
  const t = useMessages();
  return (
    <>
      <Heading title={t.app.notFound} />
      <p>{t.app.notFoundText}</p>
      <a href={href("/")}>{t.app.toOverview}</a>
    </>
  );
}
