import { useState } from "react";
import { useChange } from "../../api/change.ts";
import { client, dataOf } from "../../api/client.ts";
import { useMessages } from "../../base/messages.ts";
import { goTo } from "../../base/router.ts";
import { Form } from "../../parts/Form.tsx";
import { FormActions } from "../../parts/FormActions.tsx";
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
  const [isTried, setIsTried] = useState(false);
  const hasText = draft.text.trim() !== "";
  const make = useChange({
    ask: () =>
      dataOf(
        client.POST("/pattern", {
          body: {
            title: title.trim(),
            lines,
            ...(slug.trim() && { slug: slug.trim() }),
            ...(hasText && newVersionOf(draft)),
          },
        }),
      ),
    stale: [["patterns"]],
    onDone: (pattern) => {
      forget();
      goTo(`/patterns/${pattern.slug}`);
    },
  });
  const submit = () => {
    setIsTried(true);
    if (title.trim() !== "" && (!hasText || isWhole(draft))) make.mutate();
  };
  const giveUp = () => {
    forget();
    onClose();
  };
  return (
    <section className="card stack">
      <h2>{t.patterns.createTitle}</h2>
      <Form onSubmit={submit}>
        <TextField
          label={t.patterns.name}
          error={isTried && title.trim() === "" ? t.patterns.noName : undefined}
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
        <FormActions submit={t.patterns.createSubmit} change={make} onCancel={giveUp} />
      </Form>
    </section>
  );
}
