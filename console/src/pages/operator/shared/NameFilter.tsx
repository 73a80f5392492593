import { Filters, useFilters } from "../../../parts/Filters.tsx";
import { SearchField } from "../../../parts/SearchField.tsx";

type Props = { label: string; name?: string };

/** Finds by a name or a number, with Enter or when the field is left. */
export function NameFilter({ label, name = "q" }: Props) {
  const { at, clear } = useFilters([name]);
  return (
    <Filters onClear={clear}>
      <SearchField label={label} {...at(name)} />
    </Filters>
  );
}
