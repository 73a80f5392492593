import { useMessages } from "../../base/messages.ts";
import { useFormat } from "../../format/format.ts";
import { Confirm } from "../../parts/ConfirmDialog.tsx";
import { type Pattern, patternQuery, remove } from "./queries.ts";

export function DeleteDialog({ pattern, onClose }: { pattern: Pattern; onClose: () => void }) {
  const t = useMessages();
  const format = useFormat();
  return (
    <Confirm
      title={t.patterns.deleteTitle(pattern.title)}
      submit={t.patterns.deleteSubmit}
      kind="danger"
      ask={() => remove(pattern.slug)}
      deletes={patternQuery(pattern.slug)}
      onClose={onClose}
    >
      <p>{t.patterns.deleteText(format.number(pattern.versions.length), pattern.slug)}</p>
    </Confirm>
  );
}
