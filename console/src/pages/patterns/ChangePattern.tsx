import { useState } from "react";
import { answer, client, type Schemas } from "../../api/client.ts";
import { useMessages } from "../../base/messages.ts";
import { ChangeForm } from "../../parts/ChangeForm.tsx";
import { TextField } from "../../parts/TextField.tsx";
import { LinesField } from "./LinesField.tsx";

export function ChangePattern({ pattern, onClose }: { pattern: Schemas["Pattern"]; onClose: () => void }) {
  const t = useMessages();
  const [title, setTitle] = useState(pattern.title);
  const [lines, setLines] = useState(pattern.lines);
  const hasTitle = title.trim() !== "";
  return (
    <ChangeForm
      title={t.patterns.change}
      isWide
      submit={t.patterns.changeSubmit}
      isWhole={hasTitle}
      ask={() =>
        answer(
          client.PUT("/pattern/{slug}", {
            params: { path: { slug: pattern.slug } },
            body: { title: title.trim(), lines },
          }),
        )
      }
      stale={[["patterns"]]}
      onClose={onClose}
    >
      {(isTried) => (
        <>
          <TextField
            label={t.patterns.name}
            error={isTried && !hasTitle ? t.patterns.noName : undefined}
            value={title}
            onChange={setTitle}
            autoFocus
          />
          <LinesField value={lines} onChange={setLines} />
        </>
      )}
    </ChangeForm>
  );
}
