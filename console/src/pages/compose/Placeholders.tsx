import { useQueries } from "@tanstack/react-query";
import { useSession } from "../../api/session-context.ts";
import { useMessages } from "../../base/messages.ts";
import { Button } from "../../parts/Button.tsx";
import { attributesQuery } from "./queries.ts";

/** So many phonebooks are asked for the names of their attributes. */
const asked = 5;

/** What of each number a text to phonebooks can have. A test key does not see what is in a phonebook. */
export function Placeholders({ phonebooks, onAdd }: { phonebooks: string[]; onAdd: (placeholder: string) => void }) {
  const t = useMessages();
  const isLive = useSession().mode === "live";
  const queries = useQueries({
    queries: (isLive ? phonebooks : []).slice(0, asked).map((id) => attributesQuery(id)),
  });
  const names = new Set(["name", ...queries.flatMap(({ data }) => data ?? [])]);
  return (
    <div className="placeholders">
      <span className="hint">{t.compose.placeholders}</span>
      {[...names].map((name) => (
        <Button key={name} kind="quiet" aria-label={t.compose.addPlaceholder(name)} onPress={() => onAdd(`%${name}%`)}>
          <bdi dir="ltr">%{name}%</bdi>
        </Button>
      ))}
    </div>
  );
}
