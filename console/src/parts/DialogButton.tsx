import { type ReactNode, useState } from "react";
import { Button, type Kind } from "./Button.tsx";

type Props = {
  text: string;
  /** What it does to which row, for who hears the button alone. */
  label?: string;
  kind?: Kind;
  isBad?: boolean;
  dialog: (close: () => void) => ReactNode;
};

/** A button, and the dialog that it opens. */
export function DialogButton({ text, label, kind = "quiet", isBad, dialog }: Props) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button
        kind={kind}
        className={isBad ? "bad" : ""}
        {...(label && { "aria-label": label })}
        onPress={() => setIsOpen(true)}
      >
        {text}
      </Button>
      {isOpen && dialog(() => setIsOpen(false))}
    </>
  );
}
