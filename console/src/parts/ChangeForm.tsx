import { type ReactNode, useState } from "react";
import { type ChangeOptions, useChange } from "../api/change.ts";
import { Form } from "./Form.tsx";
import { FormActions } from "./FormActions.tsx";

type Props<Answer> = ChangeOptions<Answer> & {
  /** With a title, the form is a card. */
  title?: string;
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
export function ChangeForm<Answer>({
  title,
  isWide,
  submit,
  isWhole = true,
  children,
  onClose,
  ...options
}: Props<Answer>) {
  const [isTried, setIsTried] = useState(false);
  const change = useChange({ ...options, onDone: options.onDone ?? onClose });
  const send = () => {
    setIsTried(true);
    if (isWhole) change.mutate();
  };
  const className = title ? `card stack ${isWide ? "" : "narrow"}`.trim() : "stack";
  return (
    <Form className={className} onSubmit={send}>
      {title && <h2>{title}</h2>}
      {children(isTried, change.error)}
      <FormActions submit={submit} change={change} onCancel={onClose} />
    </Form>
  );
}
