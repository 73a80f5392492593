import type { ReactNode } from "react";
import { useMessages } from "../base/messages.ts";
import { Button } from "./Button.tsx";

/** The filters of a list. `onClear` is there if any is set. */
export function Filters({ children, onClear }: { children: ReactNode; onClear?: (() => void) | undefined }) {
  const t = useMessages();
  return (
    <search className="filters" aria-label={t.form.filters}>
      {children}
      {onClear && (
        <Button kind="link" onPress={onClear}>
          {t.form.clear}
        </Button>
      )}
    </search>
  );
}
