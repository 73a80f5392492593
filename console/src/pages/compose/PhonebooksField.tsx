import { Checkbox } from "react-aria-components/Checkbox";
import { CheckboxGroup } from "react-aria-components/CheckboxGroup";
import { FieldError } from "react-aria-components/FieldError";
import { Label } from "react-aria-components/Label";
import { Text } from "react-aria-components/Text";
import type { Schemas } from "../../api/client.ts";
import { href } from "../../base/router.ts";
import { useTexts } from "../../format/texts.ts";

type Props = {
  label: string;
  books: Schemas["Phonebook"][];
  value: string[];
  /** One with more numbers can't be chosen. */
  most?: number;
  /** What follows from those that are chosen. */
  note?: string | false;
  error?: string | undefined;
  onChange: (ids: string[]) => void;
};

/** Phonebooks to choose from, each with how many numbers it has. */
export function PhonebooksField({ label, books, value, most = Infinity, note, error, onChange }: Props) {
  const { t, format } = useTexts();
  if (books.length === 0)
    return (
      <p className="note">
        {t.compose.noPhonebooks} <a href={href("/phonebooks")}>{t.compose.toPhonebooks}</a>
      </p>
    );
  const hasLarge = books.some(({ count }) => count > most);
  return (
    <CheckboxGroup className="field" value={value} onChange={onChange} isInvalid={error !== undefined}>
      <Label>{label}</Label>
      {hasLarge && (
        <Text slot="description" className="hint">
          {t.compose.largePhonebook(format.number(most))}
        </Text>
      )}
      <div className="checks books">
        {books.map((book) => (
          <Checkbox key={book.id} value={book.id} className="check" isDisabled={book.count === 0 || book.count > most}>
            <span className="box" />
            <bdi>{book.title}</bdi>
            <span className="faint">{t.phonebook.numbers(format.number(book.count))}</span>
          </Checkbox>
        ))}
      </div>
      {note && <span className="hint">{note}</span>}
      <FieldError className="bad">{error}</FieldError>
    </CheckboxGroup>
  );
}
