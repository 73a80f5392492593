import { useMessages } from "../../base/messages.ts";
import { directionOf } from "../../parts/direction.ts";
import { NeedsScope } from "../../parts/NeedsScope.tsx";
import { TextField } from "../../parts/TextField.tsx";
import type { Composition } from "./composition.ts";
import type { Draft } from "./draft.ts";
import { PatternFields, PatternSelect } from "./PatternFields.tsx";
import { Placeholders } from "./Placeholders.tsx";

type Props = {
  draft: Draft;
  composition: Composition;
  isTried: boolean;
  onChange: (part: Partial<Draft>) => void;
};

/** What it says: a text, or a pattern with values. */
export function Content({ draft, composition: { version, faults }, isTried, onChange }: Props) {
  const t = useMessages();
  const isToBooks = draft.kind === "phonebooks";
  if (draft.kind === "pattern")
    return (
      <NeedsScope scope="pattern">
        <PatternSelect value={draft.pattern} onChange={(pattern) => onChange({ pattern, values: {} })} />
        {version && (
          <PatternFields
            version={version}
            values={draft.values}
            isTried={isTried}
            onChange={(values) => onChange({ values })}
          />
        )}
        {isTried && faults.pattern && <p className="bad">{faults.pattern}</p>}
      </NeedsScope>
    );
  return (
    <>
      <TextField
        label={t.compose.text}
        hint={isToBooks ? t.compose.personalHint : t.compose.textHint}
        rows={7}
        dir={directionOf(draft.text)}
        error={isTried ? faults.text : undefined}
        value={draft.text}
        onChange={(text) => onChange({ text })}
      />
      {isToBooks && draft.phonebooks.length > 0 && (
        <Placeholders phonebooks={draft.phonebooks} onAdd={(name) => onChange({ text: draft.text + name })} />
      )}
    </>
  );
}
