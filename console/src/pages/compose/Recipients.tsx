import { useQuery } from "@tanstack/react-query";
import { useTexts } from "../../format/texts.ts";
import { Loaded } from "../../parts/Loaded.tsx";
import { NeedsScope } from "../../parts/NeedsScope.tsx";
import { TextField } from "../../parts/TextField.tsx";
import { mostRecipients } from "../phonebooks/limits.ts";
import type { Composition } from "./composition.ts";
import type { Draft } from "./draft.ts";
import { NumbersField } from "./NumbersField.tsx";
import { PhonebooksField } from "./PhonebooksField.tsx";
import { allPhonebooksQuery } from "./queries.ts";

type Props = {
  draft: Draft;
  composition: Composition;
  isTried: boolean;
  onChange: (part: Partial<Draft>) => void;
};

/** Whom it goes to. */
export function Recipients({ draft, composition, isTried, onChange }: Props) {
  const { entries, numbers, faults, isTooMany } = composition;
  if (draft.kind === "phonebooks")
    return (
      <NeedsScope scope="phonebook">
        <Phonebooks draft={draft} composition={composition} isTried={isTried} onChange={onChange} />
      </NeedsScope>
    );
  return (
    <NumbersField
      value={draft.numbers}
      entries={entries}
      people={numbers.length}
      error={isTried || isTooMany ? faults.numbers : undefined}
      onChange={(numbers) => onChange({ numbers })}
      landlines={{ value: draft.landlines, onChange: (landlines) => onChange({ landlines }) }}
    />
  );
}

function Phonebooks({ draft, composition: { groups, faults }, isTried, onChange }: Props) {
  const { t, format } = useTexts();
  return (
    <>
      <Loaded query={useQuery(allPhonebooksQuery)}>
        {(books) => (
          <PhonebooksField
            label={t.compose.phonebooks}
            books={books}
            value={draft.phonebooks}
            most={mostRecipients}
            note={groups.length > 1 && t.compose.several(format.number(groups.length), format.number(mostRecipients))}
            error={isTried ? faults.phonebooks : undefined}
            onChange={(phonebooks) => onChange({ phonebooks })}
          />
        )}
      </Loaded>
      <details open={draft.exclude !== ""}>
        <summary>{t.compose.excludeTitle}</summary>
        <TextField
          label={t.compose.exclude}
          hint={t.compose.excludeHint}
          error={isTried ? faults.exclude : undefined}
          isCode
          rows={3}
          value={draft.exclude}
          onChange={(exclude) => onChange({ exclude })}
        />
      </details>
    </>
  );
}
