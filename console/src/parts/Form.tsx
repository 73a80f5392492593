import type { ReactNode } from "react";

type Props = { className?: string; onSubmit: () => void; children: ReactNode };

/** A form that is sent by the page, which checks it itself: a browser would say what is missing in words of its own. */
export function Form({ className = "stack", onSubmit, children }: Props) {
  return (
    <form
      className={className}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
    </form>
  );
}
