import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { dataQuery } from "../../api/queries.ts";
import { useMay, useSession } from "../../api/session-context.ts";
import { useMessages } from "../../base/messages.ts";
import { href } from "../../base/router.ts";
import { Button } from "../../parts/Button.tsx";
import { doneOf, endFor, isBeginning, isOver, places, type Step, stepsOf } from "./first-day.ts";
import type { Usage } from "./usage.ts";

type Props = { balance: number; usage: Usage };

/** The first steps of a shop, until they are done or put away. Who has begun long ago pays no request for them. */
export function FirstDay({ balance, usage }: Props) {
  const { account, mode, scopes } = useSession();
  const id = account?.id ?? "";
  const [isAway, setIsAway] = useState(() => isOver(id));
  const steps = stepsOf(scopes);
  if (isAway || mode === "test" || steps.length === 0 || !isBeginning(usage)) return null;
  const end = () => {
    endFor(id);
    setIsAway(true);
  };
  return <Steps steps={steps} balance={balance} usage={usage} onEnd={end} />;
}

/** What the overview does not know by itself. */
function useDone({ balance, usage }: Props) {
  const books = useQuery(dataQuery(["phonebooks", "first"], "/phonebook", {}, { enabled: useMay("phonebook") }));
  const keys = useQuery(dataQuery(["keys", "first"], "/keys", {}, { enabled: useMay("keys") }));
  const query = { limit: 1 };
  const patterns = useQuery(dataQuery(["patterns", "first"], "/pattern", { query }, { enabled: useMay("pattern") }));
  return doneOf({ balance, usage, books: books.data, keys: keys.data, patterns: patterns.data });
}

function Steps({ steps, onEnd, ...known }: Props & { steps: Step[]; onEnd: () => void }) {
  const t = useMessages();
  const done = useDone(known);
  const isWhole = steps.every((step) => done[step]);
  useEffect(() => {
    if (isWhole) onEnd();
  });
  return (
    <section className="card stack first-day">
      <div className="heading">
        <h2>{t.firstDay.title}</h2>
        <Button kind="link" onPress={onEnd}>
          {t.firstDay.putAway}
        </Button>
      </div>
      <ol>
        {steps.map((step) => (
          <li key={step} className={done[step] ? "done" : undefined}>
            <div>
              {done[step] ? t.firstDay.steps[step] : <a href={href(places[step].path)}>{t.firstDay.steps[step]}</a>}
              {done[step] && <span className="visually-hidden"> – {t.firstDay.done}</span>}
              <p className="hint">{t.firstDay.why[step]}</p>
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
