import { useMessages } from "../../base/messages.ts";
import { Button } from "../../parts/Button.tsx";

type Props<Person> = { of: Person; onLink: (person: Person) => void };

/** Asks for a link for one of the people of a list. */
export function LinkButton<Person extends { name: string }>({ of, onLink }: Props<Person>) {
  const t = useMessages();
  return (
    <Button kind="link" aria-label={t.members.linkOf(of.name)} onPress={() => onLink(of)}>
      {t.members.link}
    </Button>
  );
}
