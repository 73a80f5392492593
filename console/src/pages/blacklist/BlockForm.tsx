import { useDeferredValue, useState } from "react";
import { useChange } from "../../api/change.ts";
import { client, dataOf } from "../../api/client.ts";
import type { useMessages } from "../../base/messages.ts";
import { useTexts } from "../../format/texts.ts";
import { Button } from "../../parts/Button.tsx";
import { ProblemText } from "../../parts/Failure.tsx";
import { NumbersField } from "../compose/NumbersField.tsx";
import { entriesOf } from "../compose/numbers.ts";

/** How many numbers the service takes at once. */
const limit = 1_000;

export function BlockForm({ onClose }: { onClose: () => void }) {
  const { t, format } = useTexts();
  const [text, setText] = useState("");
  const [isTried, setIsTried] = useState(false);
  const entries = entriesOf(useDeferredValue(text));
  const numbers = [...new Set(entries.flatMap(({ number }) => number ?? []))];
  const fault = faultOf(
    t,
    numbers.length,
    entries.some(({ number }) => number === null),
  );
  const add = useChange({
    ask: () => dataOf(client.POST("/blacklist", { body: { numbers } })),
    stale: [["blacklist"]],
    onDone: () => {
      setText("");
      setIsTried(false);
    },
  });
  const submit = () => {
    setIsTried(true);
    if (!fault) add.mutate();
  };
  return (
    <section className="card stack">
      <h2>{t.blacklist.addTitle}</h2>
      <NumbersField
        value={text}
        entries={entries}
        people={numbers.length}
        error={isTried ? fault : undefined}
        onChange={setText}
      />
      <p className="hint">{t.blacklist.addText}</p>
      {add.error && <ProblemText error={add.error} />}
      <div className="actions">
        <span className="good" role="status">
          {add.data && t.blacklist.added(format.number(add.data.added), format.number(add.data.unchanged))}
        </span>
        <Button kind="quiet" onPress={onClose}>
          {t.blacklist.close}
        </Button>
        <Button isPending={add.isPending} onPress={submit}>
          {numbers.length > 0 ? t.blacklist.addSubmit(format.number(numbers.length)) : t.blacklist.add}
        </Button>
      </div>
    </section>
  );
}

function faultOf(t: ReturnType<typeof useMessages>, count: number, hasBad: boolean): string | undefined {
  if (hasBad) return t.compose.mendFirst;
  if (count === 0) return t.compose.noNumbers;
  return count > limit ? t.blacklist.tooMany : undefined;
}
