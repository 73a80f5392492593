import type { ReactNode } from "react";
import { useMessages } from "../base/messages.ts";
import { goTo, useRoute } from "../base/router.ts";
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

/**
 * The filters of a list. They stand in the address: so a list can be kept, sent to a colleague, and found again with the back
 * button. What is usual is not in the address.
 */
export function useFilters<Name extends string>(names: readonly Name[], usual: Partial<Record<Name, string>> = {}) {
  const { path, query } = useRoute();
  const filters = Object.fromEntries(names.map((name) => [name, query.get(name) || (usual[name] ?? "")])) as Record<
    Name,
    string
  >;
  const change = (part: Partial<Record<Name, string>>) => {
    const written = Object.entries<string>({ ...filters, ...part });
    goTo(path, Object.fromEntries(written.filter(([name, value]) => value !== usual[name as Name])));
  };
  /** What a field needs that sets one of them. */
  const at = (name: Name) => ({
    value: filters[name] as string,
    onChange: (value: string | null) => change({ [name]: value ?? "" } as Partial<Record<Name, string>>),
  });
  const isFiltered = names.some((name) => filters[name] !== (usual[name] ?? ""));
  return { filters, isFiltered, at, change, clear: isFiltered ? () => goTo(path) : undefined };
}
