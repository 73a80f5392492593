import { useMessages } from "../../base/messages.ts";
import { withOwnName } from "../../parts/placeholders.ts";

/** What of a text may not have been meant so, as the service says. */
export function Notes({ of }: { of: string[] }) {
  const t = useMessages();
  return of.map((note) => (
    <p key={note} className="note" role="status">
      {withOwnName(note.replaceAll("`", ""), t.compose.nameAttribute)}
    </p>
  ));
}
