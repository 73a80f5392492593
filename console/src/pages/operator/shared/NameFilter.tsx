import { goTo, useRoute } from "../../../base/router.ts";
import { Filters } from "../../../parts/Filters.tsx";
import { SearchField } from "../../../parts/SearchField.tsx";

type Props = { label: string; name?: string };

/** Finds by a name or a number. It stands in the address, and is looked for with Enter, or when the field is left. */
export function NameFilter({ label, name = "q" }: Props) {
  const { path, query } = useRoute();
  const value = query.get(name) ?? "";
  return (
    <Filters onClear={value ? () => goTo(path) : undefined}>
      <SearchField label={label} value={value} onChange={(text) => goTo(path, { [name]: text })} />
    </Filters>
  );
}
