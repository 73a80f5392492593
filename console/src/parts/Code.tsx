import type { ReactNode } from "react";

/** A number, a phone or a code inside of a text: it goes from left to right and moves nothing around it. */
export function Code({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <bdi dir="ltr" className={className}>
      {children}
    </bdi>
  );
}
