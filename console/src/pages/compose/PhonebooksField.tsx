import { Checkbox } from "react-aria-components/Checkbox";
import { CheckboxGroup } from "react-aria-components/CheckboxGroup";
import { FieldError } from "react-aria-components/FieldError";
import { Label } from "react-aria-components/Label";
import { Text } from "react-aria-components/Text";
import type { Schemas } from "../../api/client.ts";
import { href } from "../../base/router.ts";
import { useTexts } from "../../format/texts.ts";
import { mostRecipients } from "../phonebooks/limits.ts";

type Props = {
  books: Schemas["Phonebook"][];
  value: string[];
  /** How many messages the chosen ones make. */
  messages: number;
  error: string | undefined;
  onChange: (ids: string[]) => void;
};

const canBeSent = ({ count }: Schemas["Phonebook"]) => count > 0 && count <= mostRecipients;

/** The phonebooks to send to, each with how many numbers it has. */
export function PhonebooksField({ books, value, messages, error, onChange }: Props) {
  const { t, format } = useTexts();
  const most = format.number(mostRecipients);
  if (books.length === 0)
    return (
      <p className="note">
        {t.compose.noPhonebooks} <a href={href("/phonebooks")}>{t.compose.toPhonebooks}</a>
      </p>
    );
  const hasLarge = books.some(({ count }) => count > mostRecipients);
  return (
    <CheckboxGroup className="field" value={value} onChange={onChange} isInvalid={error !== undefined}>
      <Label>{t.compose.phonebooks}</Label>
      {hasLarge && (
        <Text slot="description" className="hint">
          {t.compose.largePhonebook(most)}
        </Text>
      )}
      <div className="checks books">
        {books.map((book) => (
          <Checkbox key={book.id} value={book.id} className="check" isDisabled={!canBeSent(book)}>
            <span className="box" />
            <bdi>{book.title}</bdi>
            <span className="faint">{t.phonebook.numbers(format.number(book.count))}</span>
          </Checkbox>
        ))}
      </div>
      {messages > 1 && <span className="hint">{t.compose.several(format.number(messages), most)}</span>}
      <FieldError className="bad">{error}</FieldError>
    </CheckboxGroup>
  );
}
