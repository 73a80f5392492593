import { useMay } from "../api/session-context.ts";
import { useMessages } from "../base/messages.ts";
import { href } from "../base/router.ts";

/** The way to a new message, for who may send one. */
export function ComposeLink() {
  const t = useMessages();
  return (
    useMay("sms:send") && (
      <a className="button main" href={href("/compose")}>
        {t.messages.compose}
      </a>
    )
  );
}
