import { client, dataOf } from "../../api/client.ts";
import { useMessages } from "../../base/messages.ts";
import { goTo } from "../../base/router.ts";
import { ChangeForm } from "../../parts/ChangeForm.tsx";
import { useKept } from "../../parts/kept.ts";
import { TextField } from "../../parts/TextField.tsx";
import { LinesField } from "./LinesField.tsx";
import { VersionFields } from "./VersionFields.tsx";
import { emptyDraft, isWhole, newVersionOf } from "./version-draft.ts";

const empty = { title: "", slug: "", lines: [] as string[], draft: emptyDraft };

export function NewPattern({ onClose }: { onClose: () => void }) {
  const t = useMessages();
  const { value, change, forget } = useKept("new-pattern", empty);
  const { title, slug, lines, draft } = value;
  const hasTitle = title.trim() !== "";
  const hasText = draft.text.trim() !== "";
  return (
    <ChangeForm
      title={t.patterns.createTitle}
      isWide
      submit={t.patterns.createSubmit}
      isWhole={hasTitle && (!hasText || isWhole(draft))}
      ask={() =>
        dataOf(
          client.POST("/pattern", {
            body: {
              title: title.trim(),
              lines,
              ...(slug.trim() && { slug: slug.trim() }),
              ...(hasText && newVersionOf(draft)),
            },
          }),
        )
      }
      stale={[["patterns"]]}
      onDone={(pattern) => {
        forget();
        goTo(`/patterns/${pattern.slug}`);
      }}
      onClose={() => {
        forget();
        onClose();
      }}
    >
      {(isTried) => (
        <>
          <TextField
            label={t.patterns.name}
            error={isTried && !hasTitle ? t.patterns.noName : undefined}
            value={title}
            onChange={(title) => change({ title })}
            autoFocus
          />
          <TextField
            label={t.patterns.slug}
            hint={t.patterns.slugHint}
            isCode
            value={slug}
            onChange={(slug) => change({ slug })}
          />
          <VersionFields draft={draft} onChange={(draft) => change({ draft })} isRequired={false} isTried={isTried} />
          <LinesField value={lines} onChange={(lines) => change({ lines })} />
        </>
      )}
    </ChangeForm>
  );
}
