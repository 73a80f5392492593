import { useEffect, useRef, useState } from "react";
import { useChange } from "../../api/change.ts";
import { client, dataOf, type Schemas } from "../../api/client.ts";
import { useMessages } from "../../base/messages.ts";
import { Form } from "../../parts/Form.tsx";
import { FormActions } from "../../parts/FormActions.tsx";
import { useKept } from "../../parts/kept.ts";
import { VersionFields } from "./VersionFields.tsx";
import { draftOf, emptyDraft, isWhole, newVersionOf } from "./version-draft.ts";

/** A version never changes: a new text is a new version, which begins as the one that it is made of. */
export function NewVersion({
  slug,
  from,
  onClose,
}: {
  slug: string;
  from: Schemas["PatternVersion"] | undefined;
  onClose: () => void;
}) {
  const t = useMessages();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const { value, change, forget } = useKept(`version ${slug} ${from?.version ?? 0}`, {
    draft: from ? draftOf(from) : emptyDraft,
  });
  const { draft } = value;
  const [isTried, setIsTried] = useState(false);
  const add = useChange({
    ask: () =>
      dataOf(client.POST("/pattern/{slug}/versions", { params: { path: { slug } }, body: newVersionOf(draft) })),
    stale: [["patterns"]],
    onDone: () => {
      forget();
      onClose();
    },
  });
  const submit = () => {
    setIsTried(true);
    if (isWhole(draft)) add.mutate();
  };
  const giveUp = () => {
    forget();
    onClose();
  };
  return (
    <section className="card stack">
      <h2 ref={heading} tabIndex={-1}>
        {t.patterns.newVersion}
      </h2>
      <p className="faint">{t.patterns.newVersionText}</p>
      <Form onSubmit={submit}>
        <VersionFields draft={draft} onChange={(draft) => change({ draft })} isRequired isTried={isTried} />
        <FormActions submit={t.patterns.newVersionSubmit} change={add} onCancel={giveUp} />
      </Form>
    </section>
  );
}
