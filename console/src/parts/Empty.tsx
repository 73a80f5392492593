import type { ReactNode } from "react";

/** In the place of a list that has nothing. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <section className="state">
      <h2>{title}</h2>
      {children}
    </section>
  );
}
