import { href } from "../../base/router.ts";
import { useTexts } from "../../format/texts.ts";
import { useRunning } from "./running.ts";

/** Tells on every page how far the import is. Its own page tells more. */
export function ImportNotice({ path }: { path: string }) {
  const { t, format } = useTexts();
  const running = useRunning();
  const own = `/phonebooks/${running?.books[0]?.id}/import`;
  if (!running || running.isSeen || path === own) return null;
  const { state, done, total } = running;
  return (
    <a className={`import-notice ${state}`} href={href(own)}>
      <span>{t.importing.states[state]}</span>
      <progress max={total} value={done} aria-label={t.importing.progress} />
      <span>{t.importing.doneOf(format.number(done), format.number(total))}</span>
    </a>
  );
}
