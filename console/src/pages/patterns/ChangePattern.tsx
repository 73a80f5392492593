import { useState } from "react";
import { useChange } from "../../api/change.ts";
import { answer, client, type Schemas } from "../../api/client.ts";
import { useMessages } from "../../base/messages.ts";
import { Form } from "../../parts/Form.tsx";
import { FormActions } from "../../parts/FormActions.tsx";
import { TextField } from "../../parts/TextField.tsx";
import { LinesField } from "./LinesField.tsx";

export function ChangePattern({ pattern, onClose }: { pattern: Schemas["Pattern"]; onClose: () => void }) {
  const t = useMessages();
  const [title, setTitle] = useState(pattern.title);
  const [lines, setLines] = useState(pattern.lines);
  const [isTried, setIsTried] = useState(false);
  const save = useChange({
    ask: () =>
      answer(
        client.PUT("/pattern/{slug}", {
          params: { path: { slug: pattern.slug } },
          body: { title: title.trim(), lines },
        }),
      ),
    stale: [["patterns"]],
    onDone: onClose,
  });
  const submit = () => {
    setIsTried(true);
    if (title.trim() !== "") save.mutate();
  };
  return (
    <section className="card stack">
      <h2>{t.patterns.change}</h2>
      <Form onSubmit={submit}>
        <TextField
          label={t.patterns.name}
          error={isTried && title.trim() === "" ? t.patterns.noName : undefined}
          value={title}
          onChange={setTitle}
          autoFocus
        />
        <LinesField value={lines} onChange={setLines} />
        <FormActions submit={t.patterns.changeSubmit} change={save} onCancel={onClose} />
      </Form>
    </section>
  );
}
