import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Dialog } from "react-aria-components/Dialog";
import { Heading } from "react-aria-components/Heading";
import { Modal, ModalOverlay } from "react-aria-components/Modal";
import { type Change, type ChangeOptions, useChange } from "../api/change.ts";
import { sessionQuery } from "../api/session.ts";
import { useMessages } from "../base/messages.ts";
import { Button } from "./Button.tsx";
import { ProblemText } from "./Failure.tsx";
import { Form } from "./Form.tsx";

type Look = {
  title: string;
  children: ReactNode;
  /** What the button says that does it: with the numbers of what will happen. */
  submit: string;
  /** What the button says that does not; usually that it cancels. */
  keep?: string;
  kind?: "main" | "danger";
  /** What is said of a refusal, if the page has better words for it than the service. */
  refusal?: (error: Error) => ReactNode;
  onClose: () => void;
};

type Props = Look & {
  change: Change;
  onSubmit: () => void;
  /** Whether there are fields, from which the Enter key submits. */
  isForm?: boolean;
};

/** What follows from a look. */
export type LookActs = Pick<Props, "change" | "onSubmit" | "onClose">;

/** The last look before something that can't be undone. It gives way to the sign-in if the session ends meanwhile. */
export function ConfirmDialog({ title, children, submit, keep, kind, change, onSubmit, isForm, ...of }: Props) {
  const { refusal, onClose } = of;
  const t = useMessages();
  const { data: session } = useQuery(sessionQuery);
  if (!session) return null;
  const { isPending, error } = change;
  return (
    <ModalOverlay className="overlay" isOpen isDismissable={!isPending} onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Modal className="modal">
        <Dialog role="alertdialog">
          <Heading slot="title">{title}</Heading>
          {isForm ? (
            <Form onSubmit={onSubmit}>
              {children}
              <input type="submit" hidden />
            </Form>
          ) : (
            children
          )}
          {error && (refusal?.(error) ?? <ProblemText error={error} />)}
          <div className="actions">
            <Button kind="quiet" onPress={onClose} isDisabled={isPending}>
              {keep ?? t.form.cancel}
            </Button>
            <Button kind={kind ?? "main"} onPress={onSubmit} isPending={isPending}>
              {submit}
            </Button>
          </div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

type ConfirmProps<Answer> = Omit<Look, "children"> &
  ChangeOptions<Answer> & {
    /** Whether it has all that it needs. The change is not made before. */
    isWhole?: boolean;
    isForm?: boolean;
    /** What is missing is said once somebody has tried, and what was refused where it stands. */
    children: ReactNode | ((isTried: boolean, error: Error | null) => ReactNode);
  };

/** Asks once more, and makes the change then. Unless something else follows, the dialog closes. */
export function Confirm<Answer>({ isWhole = true, isForm = false, children, ...of }: ConfirmProps<Answer>) {
  const { ask, stale, replaces, deletes, isSecret, onDone, ...look } = of;
  const [isTried, setIsTried] = useState(false);
  const follows = onDone ?? (deletes ? undefined : look.onClose);
  const change = useChange({ ask, stale, replaces, deletes, isSecret, onDone: follows });
  const submit = () => {
    setIsTried(true);
    if (isWhole) change.mutate();
  };
  return (
    <ConfirmDialog {...look} isForm={isForm} change={change} onSubmit={submit}>
      {typeof children === "function" ? children(isTried, change.error) : children}
    </ConfirmDialog>
  );
}
