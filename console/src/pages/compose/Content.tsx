import { useMessages } from "../../base/messages.ts";
import { Button } from "../../parts/Button.tsx";
import { directionOf } from "../../parts/direction.ts";
import { NeedsScope } from "../../parts/NeedsScope.tsx";
import { namesIn } from "../../parts/placeholders.ts";
import { TextField } from "../../parts/TextField.tsx";
import { useAttributes } from "./attributes.ts";
import type { Composition, Faults } from "./composition.ts";
import type { Draft } from "./draft.ts";
import { PatternFields, PatternSelect } from "./PatternFields.tsx";
import { SavedTexts } from "./SavedTexts.tsx";

/** What a draft has that says something: it may be that of a message, or of a campaign. */
export type ContentDraft = Pick<Draft, "kind" | "phonebooks" | "pattern" | "values" | "text">;

type Props = {
  draft: ContentDraft;
  composition: Pick<Composition, "version"> & { faults: Pick<Faults, "pattern" | "text"> };
  isTried: boolean;
  onChange: (part: Partial<ContentDraft>) => void;
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
      <SavedTexts text={draft.text} isPersonal={isToBooks} onChange={(text) => onChange({ text })} />
      {!isToBooks && <Unfilled names={namesIn(draft.text)} />}
      {isToBooks && draft.phonebooks.length > 0 && (
        <Placeholders phonebooks={draft.phonebooks} onAdd={(name) => onChange({ text: draft.text + name })} />
      )}
    </>
  );
}

/** Says of a text to numbers that nobody fills in what looks like a placeholder. */
function Unfilled({ names }: { names: string[] }) {
  const t = useMessages();
  if (names.length === 0) return null;
  const found = names.map((name) => `\u2068%${name}%\u2069`).join(t.form.comma);
  return (
    <p className="note" role="status">
      {t.compose.unfilled(found)}
    </p>
  );
}

/** What of each number a text to phonebooks can have. */
function Placeholders({ phonebooks, onAdd }: { phonebooks: string[]; onAdd: (placeholder: string) => void }) {
  const t = useMessages();
  return (
    <div className="placeholders">
      <span className="hint">{t.compose.placeholders}</span>
      {useAttributes(phonebooks).map((name) => (
        <Button key={name} kind="quiet" aria-label={t.compose.addPlaceholder(name)} onPress={() => onAdd(`%${name}%`)}>
          <bdi>%{name}%</bdi>
        </Button>
      ))}
    </div>
  );
}
