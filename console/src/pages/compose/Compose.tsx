import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useState } from "react";
import { useMessages } from "../../base/messages.ts";
import { Button } from "../../parts/Button.tsx";
import { Heading } from "../../parts/Heading.tsx";
import { NeedsScope } from "../../parts/NeedsScope.tsx";
import { TextField } from "../../parts/TextField.tsx";
import { type Draft, useDraft } from "./draft.ts";
import { EstimateCard } from "./EstimateCard.tsx";
import { LastLook } from "./LastLook.tsx";
import { LineSelect } from "./LineSelect.tsx";
import { NumbersField } from "./NumbersField.tsx";
import { type Entry, entriesOf } from "./numbers.ts";
import { estimateQuery, type Send } from "./queries.ts";

export default function Compose() {
  const t = useMessages();
  return (
    <>
      <Heading title={t.compose.title} />
      <NeedsScope scope="sms:send">
        <Composer />
      </NeedsScope>
    </>
  );
}

const limit = 1_000;

type Faults = { numbers?: string | undefined; text?: string | undefined };

function faultsOf(t: ReturnType<typeof useMessages>, { text }: Draft, entries: Entry[], people: number): Faults {
  const hasBad = entries.some(({ number }) => number === null);
  const numbers =
    people > limit ? t.compose.tooMany : hasBad ? t.compose.mendFirst : people === 0 ? t.compose.noNumbers : undefined;
  return { numbers, text: text.trim() === "" ? t.compose.noText : undefined };
}

function Composer() {
  const t = useMessages();
  const { draft, change, clear } = useDraft();
  const [isTried, setIsTried] = useState(false);
  const [isLooking, setIsLooking] = useState(false);
  const entries = entriesOf(useDeferredValue(draft.numbers));
  const recipients = [...new Set(entries.flatMap(({ number }) => number ?? []))];
  const faults = faultsOf(t, draft, entries, recipients.length);
  const send: Send = { message: draft.text, recipients, sourceNumber: draft.line };
  const isWhole = draft.text.trim() !== "" && recipients.length > 0 && recipients.length <= limit;
  const estimate = useQuery({ ...estimateQuery(send), enabled: isWhole });
  // A price is shown beside a send only if it is the price of this one, and not of the text a moment before.
  const isReady = isWhole && estimate.data && !estimate.isPlaceholderData && !estimate.error;
  const review = () => {
    setIsTried(true);
    setIsLooking(Boolean(isReady) && !faults.numbers && !faults.text);
  };
  const empty = () => {
    clear();
    setIsTried(false);
  };
  return (
    <div className="compose">
      <section className="card stack">
        <NumbersField
          value={draft.numbers}
          entries={entries}
          people={recipients.length}
          error={isTried || recipients.length > limit ? faults.numbers : undefined}
          onChange={(numbers) => change({ numbers })}
        />
        <LineSelect value={draft.line} onChange={(line) => change({ line })} />
        <TextField
          label={t.compose.text}
          hint={t.compose.textHint}
          rows={7}
          error={isTried ? faults.text : undefined}
          value={draft.text}
          onChange={(text) => change({ text })}
        />
        <p className="hint">{t.compose.kept}</p>
        <div className="actions">
          <Button kind="quiet" onPress={empty}>
            {t.compose.clear}
          </Button>
          <Button onPress={review} isDisabled={isWhole && !isReady}>
            {t.compose.review}
          </Button>
        </div>
      </section>
      <EstimateCard estimate={isWhole ? estimate : null} text={draft.text} onUse={(text) => change({ text })} />
      {isLooking && isReady && (
        <LastLook
          send={send}
          estimate={estimate.data}
          idempotencyKey={draft.id}
          onSent={clear}
          onClose={() => setIsLooking(false)}
        />
      )}
    </div>
  );
}
