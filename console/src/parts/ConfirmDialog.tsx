import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Dialog } from "react-aria-components/Dialog";
import { Heading } from "react-aria-components/Heading";
import { Modal, ModalOverlay } from "react-aria-components/Modal";
import { sessionQuery } from "../api/session.ts";
import { Button } from "./Button.tsx";
import { ProblemText } from "./Failure.tsx";

type Props = {
  title: string;
  children: ReactNode;
  /** What the button says that does it: with the numbers of what will happen. */
  submit: string;
  keep: string;
  kind: "main" | "danger";
  isPending: boolean;
  error: Error | null;
  onSubmit: () => void;
  onClose: () => void;
};

/** The last look before something that can't be undone. It gives way to the sign-in if the session ends meanwhile. */
export function ConfirmDialog({ title, children, submit, keep, kind, isPending, error, onSubmit, onClose }: Props) {
  const { data: session } = useQuery(sessionQuery);
  if (!session) return null;
  return (
    <ModalOverlay className="overlay" isOpen isDismissable={!isPending} onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Modal className="modal">
        <Dialog role="alertdialog">
          <Heading slot="title">{title}</Heading>
          {children}
          {error && <ProblemText error={error} />}
          <div className="actions">
            <Button kind="quiet" onPress={onClose} isDisabled={isPending}>
              {keep}
            </Button>
            <Button kind={kind} onPress={onSubmit} isPending={isPending}>
              {submit}
            </Button>
          </div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
