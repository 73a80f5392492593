import { client, dataOf, type Schemas } from "../../api/client.ts";
import { useMessages } from "../../base/messages.ts";
import { ChangeForm } from "../../parts/ChangeForm.tsx";
import { useKept } from "../../parts/kept.ts";
import { VersionFields } from "./VersionFields.tsx";
import { draftOf, emptyDraft, isWhole, newVersionOf } from "./version-draft.ts";

type Props = { slug: string; from: Schemas["PatternVersion"] | undefined; onClose: () => void };

/** A version never changes: a new text is a new version, which begins as the one that it is made of. */
export function NewVersion({ slug, from, onClose }: Props) {
  const t = useMessages();
  const { value, change, forget } = useKept(`version ${slug} ${from?.version ?? 0}`, {
    draft: from ? draftOf(from) : emptyDraft,
  });
  const { draft } = value;
  const body = newVersionOf(draft);
  return (
    <ChangeForm
      title={t.patterns.newVersion}
      takesFocus
      isWide
      submit={t.patterns.newVersionSubmit}
      isWhole={isWhole(draft)}
      ask={() => dataOf(client.POST("/pattern/{slug}/versions", { params: { path: { slug } }, body }))}
      stale={[["patterns"]]}
      onClose={() => {
        forget();
        onClose();
      }}
    >
      {(isTried) => (
        <>
          <p className="faint">{t.patterns.newVersionText}</p>
          <VersionFields draft={draft} onChange={(draft) => change({ draft })} isRequired isTried={isTried} />
        </>
      )}
    </ChangeForm>
  );
}
