import { useMessages } from "../base/messages.ts";
import { href } from "../base/router.ts";

export function Brand() {
  const t = useMessages();
  return (
    <a className="brand" href={href("/")}>
      <svg viewBox="0 0 32 32" width="24" height="24" aria-hidden="true">
        <path d="M3 6h26v16H14l-7 6v-6H3z" />
      </svg>
      {t.app.name}
    </a>
  );
}
