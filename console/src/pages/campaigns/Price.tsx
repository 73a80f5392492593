import { useQuery } from "@tanstack/react-query";
import { useMay } from "../../api/session-context.ts";
import { useMessages } from "../../base/messages.ts";
import { CountCard } from "../compose/CountCard.tsx";
import { useCount } from "../compose/counting.ts";
import { EstimateCard } from "../compose/EstimateCard.tsx";
import { allPhonebooksQuery, estimatesQuery } from "../compose/queries.ts";
import { filled } from "../compose/sends.ts";
import type { Draft } from "./draft.ts";
import type { useFaults } from "./faults.ts";
import { sampleOf } from "./sample.ts";

type Props = { draft: Draft; found: ReturnType<typeof useFaults>; onUse: (text: string) => void };

const noNumbers: string[] = [];

/** Beside the form, what its text takes while one types. How many people it reaches is counted when it is saved. */
export function Price({ draft, found: { version, audience }, onUse }: Props) {
  const t = useMessages();
  const isPattern = draft.kind === "pattern";
  const text = isPattern ? (version ? filled(version.text, draft.values) : "") : draft.text;
  const { sends, isWhole } = useSample(draft, audience.phonebooks);
  const isEmpty = text.trim() === "";
  const isAsked = useMay("sms:send") && !isPattern && !isEmpty && sends.length > 0;
  const estimates = useQuery({ ...estimatesQuery(sends), enabled: isAsked });
  const counted = useCount(isPattern ? "pattern" : "numbers", draft.line, noNumbers, text);
  const isPart = !isWhole || draft.tests.length > 0 || draft.except.length > 0 || draft.exclude.trim() !== "";
  return (
    <aside className="beside">
      <section className="card stack estimate" aria-busy={isAsked && estimates.isFetching}>
        <h2>{t.newCampaign.price}</h2>
        {isAsked ? (
          <EstimateCard query={estimates} text={text} onUse={onUse} isPart={isPart} />
        ) : (
          counted && !isEmpty && <CountCard counted={counted} text={text} onUse={isPattern ? undefined : onUse} />
        )}
        <p className="hint">{t.newCampaign.priceHint}</p>
      </section>
    </aside>
  );
}

function useSample({ text: message, line: sourceNumber }: Draft, phonebooks: string[]) {
  const { data: books = [] } = useQuery({ ...allPhonebooksQuery, enabled: useMay("phonebook") });
  return sampleOf({ message, sourceNumber, phonebooks }, books);
}
