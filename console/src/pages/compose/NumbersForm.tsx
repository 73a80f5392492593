import { type ReactNode, useDeferredValue, useState } from "react";
import { type ChangeOptions, useChange } from "../../api/change.ts";
import { useMessages } from "../../base/messages.ts";
import { Form } from "../../parts/Form.tsx";
import { FormActions } from "../../parts/FormActions.tsx";
import { NumbersField } from "./NumbersField.tsx";
import { distinct, type Entry, entriesOf, type Landlines, taken } from "./numbers.ts";

type Props<Answer> = Pick<ChangeOptions<Answer, string[]>, "ask" | "stale" | "onDone"> & {
  title: string;
  isNarrow?: boolean;
  /** Whether they are to get messages: then it asks what is done with landlines. */
  areRecipients?: boolean;
  /** What is said if there are more than the service takes at once. */
  tooMany: string;
  submitOf: (count: number) => string;
  /** What has become of them. */
  done: (answer: Answer) => string;
  close: string;
  onClose: () => void;
  /** What else there is for so many numbers. */
  children: (count: number) => ReactNode;
};

/** How many numbers the service takes at once. */
const limit = 1_000;

/** Adds numbers to a list, as they are written or pasted. */
export function NumbersForm<Answer>({
  ask,
  stale,
  onDone,
  title,
  isNarrow,
  areRecipients,
  tooMany,
  ...of
}: Props<Answer>) {
  const t = useMessages();
  const [text, setText] = useState("");
  const [isTried, setIsTried] = useState(false);
  const [landlines, setLandlines] = useState<Landlines>("out");
  const entries = entriesOf(useDeferredValue(text));
  const numbersOf = (entries: Entry[]) => taken(distinct(entries), areRecipients ? landlines : "take");
  const { length } = numbersOf(entries);
  const save = useChange({
    ask,
    stale,
    onDone: (answer: Answer, numbers: string[]) => {
      setText("");
      setIsTried(false);
      onDone?.(answer, numbers);
    },
  });
  const faultOf = (entries: Entry[]) => {
    if (entries.some(({ number }) => number === null)) return t.compose.mendFirst;
    const { length } = numbersOf(entries);
    if (length === 0) return t.compose.noNumbers;
    return length > limit ? tooMany : undefined;
  };
  const submit = () => {
    setIsTried(true);
    // The newest text counts, which the list of numbers may not show yet.
    const written = entriesOf(text);
    if (faultOf(written) === undefined) save.mutate(numbersOf(written));
  };
  return (
    <section className={isNarrow ? "card stack narrow" : "card stack"}>
      <h2>{title}</h2>
      <NumbersField
        value={text}
        entries={entries}
        people={length}
        error={isTried ? faultOf(entries) : undefined}
        onChange={setText}
        landlines={areRecipients ? { value: landlines, onChange: setLandlines } : undefined}
      />
      <Form onSubmit={submit}>
        {of.children(length)}
        <FormActions
          submit={of.submitOf(length)}
          change={save}
          done={save.data && of.done(save.data)}
          cancel={of.close}
          onCancel={of.onClose}
        />
      </Form>
    </section>
  );
}
