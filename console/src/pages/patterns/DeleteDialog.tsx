import { answer, client, type Schemas } from "../../api/client.ts";
import { useMessages } from "../../base/messages.ts";
import { useFormat } from "../../format/format.ts";
import { Confirm } from "../../parts/ConfirmDialog.tsx";
import { patternQuery } from "../queries.ts";

export function DeleteDialog({ pattern, onClose }: { pattern: Schemas["Pattern"]; onClose: () => void }) {
  const t = useMessages();
  const format = useFormat();
  return (
    <Confirm
      title={t.patterns.deleteTitle(pattern.title)}
      submit={t.patterns.deleteSubmit}
      kind="danger"
      ask={() => answer(client.DELETE("/pattern/{slug}", { params: { path: { slug: pattern.slug } } }))}
      deletes={patternQuery(pattern.slug)}
      onClose={onClose}
    >
      <p>{t.patterns.deleteText(format.number(pattern.versions.length), pattern.slug)}</p>
    </Confirm>
  );
}
