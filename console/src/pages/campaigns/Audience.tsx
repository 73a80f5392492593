import { useQuery } from "@tanstack/react-query";
import { useMessages } from "../../base/messages.ts";
import { Loaded } from "../../parts/Loaded.tsx";
import { NeedsScope } from "../../parts/NeedsScope.tsx";
import { TextField } from "../../parts/TextField.tsx";
import { PhonebooksField } from "../compose/PhonebooksField.tsx";
import { allPhonebooksQuery } from "../compose/queries.ts";
import { Conditions } from "./Conditions.tsx";
import type { PartProps } from "./faults.ts";

/** Whom it goes to: the people of phonebooks, without some of them. */
export function Audience(part: PartProps) {
  const t = useMessages();
  return (
    <section className="card stack">
      <h2>{t.newCampaign.audience}</h2>
      <NeedsScope scope="phonebook">
        <Phonebooks {...part} />
      </NeedsScope>
    </section>
  );
}

function Phonebooks({ draft, faults, onChange }: PartProps) {
  const t = useMessages();
  const books = useQuery(allPhonebooksQuery);
  return (
    <>
      <Loaded query={books}>
        {(books) => (
          <PhonebooksField
            label={t.compose.phonebooks}
            books={books}
            value={draft.phonebooks}
            error={faults.phonebooks}
            onChange={(phonebooks) => onChange({ phonebooks, except: without(draft.except, phonebooks) })}
          />
        )}
      </Loaded>
      <details open={draft.tests.length > 0}>
        <summary>{t.newCampaign.conditions}</summary>
        <Conditions draft={draft} faults={faults} onChange={onChange} />
      </details>
      <details open={draft.except.length > 0 || draft.exclude !== ""}>
        <summary>{t.newCampaign.leaveOut}</summary>
        <div className="stack">
          {books.data && books.data.length > 0 && (
            <PhonebooksField
              label={t.newCampaign.exceptBooks}
              books={books.data.filter(({ id }) => !draft.phonebooks.includes(id))}
              value={draft.except}
              onChange={(except) => onChange({ except })}
            />
          )}
          <TextField
            label={t.compose.exclude}
            hint={t.compose.excludeHint}
            error={faults.exclude}
            isCode
            rows={3}
            value={draft.exclude}
            onChange={(exclude) => onChange({ exclude })}
          />
        </div>
      </details>
    </>
  );
}

const without = (ids: string[], gone: string[]) => ids.filter((id) => !gone.includes(id));
