import { useMessages } from "../app/messages.ts";
import { href } from "../app/router.ts";
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
