import { type ReactNode, useState } from "react";
import { type ChangeOptions, useChange } from "../api/change.ts";
import { Form } from "./Form.tsx";
import { FormActions } from "./FormActions.tsx";
import { focus } from "./focus.ts";

type Props<Answer> = ChangeOptions<Answer> & {
  /** With a title, the form is a card. */
  title?: string;
  /** Whether its heading takes the focus: the form has come in the place of something else. */
  takesFocus?: boolean;
  /** Whether the card is as wide as the page. */
  isWide?: boolean;
  submit: string;
  /** Whether it has all that it needs. It is not sent before. */
  isWhole?: boolean;
  /** What people fill in. What is missing is said once they have tried to send it. */
  children: (isTried: boolean, error: Error | null) => ReactNode;
  onClose?: () => void;
};

/** A form that makes a change. Unless something else follows, it closes then. */
export function ChangeForm<Answer>({ title, submit, isWhole = true, children, onClose, ...of }: Props<Answer>) {
  const [isTried, setIsTried] = useState(false);
  const change = useChange({ ...of, onDone: of.onDone ?? onClose });
  const send = () => {
    setIsTried(true);
    if (isWhole) change.mutate();
  };
  const className = title ? `card stack ${of.isWide ? "" : "narrow"}`.trim() : "stack";
  return (
    <Form className={className} onSubmit={send}>
      {title && <h2 {...(of.takesFocus && { ref: focus, tabIndex: -1 })}>{title}</h2>}
      {children(isTried, change.error)}
      <FormActions submit={submit} change={change} onCancel={onClose} />
    </Form>
  );
}
