import type { Schemas } from "../../api/client.ts";
import { href } from "../../base/router.ts";
import { useTexts } from "../../format/texts.ts";
import { Button } from "../../parts/Button.tsx";
import { Empty } from "../../parts/Empty.tsx";
import { Filters, useFilters } from "../../parts/Filters.tsx";
import { keepFilled } from "../../parts/keep-filled.ts";
import { Listing, usePage } from "../../parts/Listing.tsx";
import { SearchField } from "../../parts/SearchField.tsx";
import { NumberTable } from "./NumberTable.tsx";

/** `onAdd` is there if the form to add is not open. */
export function Numbers({ phonebook, onAdd }: { phonebook: Schemas["Phonebook"]; onAdd: (() => void) | undefined }) {
  const { t, format } = useTexts();
  const { filters, at, clear } = useFilters(["q"]);
  const { q } = filters;
  const list = usePage(
    ["phonebooks", "numbers"],
    "/phonebook/number/{phonebookId}",
    { path: { phonebookId: phonebook.id }, query: { q } },
    { placeholderData: keepFilled },
  );
  return (
    <section className="card stack">
      <div className="heading">
        <h2>{t.phonebook.numbers(format.number(phonebook.count))}</h2>
        <div className="actions">
          <a className="button quiet" href={href(`/phonebooks/${phonebook.id}/import`)}>
            {t.phonebook.import}
          </a>
          {onAdd && (
            <Button kind="quiet" onPress={onAdd}>
              {t.phonebook.add}
            </Button>
          )}
        </div>
      </div>
      <Filters onClear={clear}>
        <SearchField label={t.phonebook.search} isCode={false} maxLength={100} {...at("q")} />
      </Filters>
      <Listing
        query={list}
        isPart
        empty={<Empty title={q ? t.phonebook.noneFound : t.phonebook.none} text={!q && t.phonebook.noneText} />}
      >
        {(data) => <NumberTable phonebookId={phonebook.id} numbers={data} />}
      </Listing>
    </section>
  );
}
