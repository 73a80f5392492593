import { Button } from "./Button.tsx";
import { CopyButton } from "./CopyButton.tsx";
import { focus } from "./focus.ts";

type Props = { title: string; text: string; secret: string; done: string; onDone: () => void };

/** What is shown this one time only. It stays until the person says that it is kept. */
export function ShownSecret({ title, text, secret, done, onDone }: Props) {
  return (
    <section className="card stack shown-key">
      <h2 ref={focus} tabIndex={-1}>
        {title}
      </h2>
      <p>{text}</p>
      <code dir="ltr">{secret}</code>
      <div className="actions">
        <CopyButton text={secret} />
        <Button onPress={onDone}>{done}</Button>
      </div>
    </section>
  );
}
