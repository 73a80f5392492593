import { href } from "../../../base/router.ts";
import { useOperatorTexts } from "../../../format/operator-texts.ts";
import { Button } from "../../../parts/Button.tsx";
import { Code } from "../../../parts/Code.tsx";
import { useUsernames } from "./accounts.ts";

/** So many accounts are named; each name is a request. */
const most = 30;

type Props = { ids: string[]; onRemove?: ((id: string) => void) | undefined };

export function AccountChips({ ids, onRemove }: Props) {
  const { o, format } = useOperatorTexts();
  const shown = ids.slice(0, most);
  const names = useUsernames(shown);
  return (
    <ul className="chips">
      {shown.map((id, index) => (
        <li key={id}>
          <a href={href(`/accounts/${id}`)}>
            <Code>{names[index]}</Code>
          </a>
          {onRemove && (
            <Button
              kind="link"
              className="bad"
              aria-label={o.accountField.removeOf(names[index] ?? id)}
              onPress={() => onRemove(id)}
            >
              ×
            </Button>
          )}
        </li>
      ))}
      {ids.length > most && <li>{o.accountField.more(format.number(ids.length - most))}</li>}
    </ul>
  );
}
