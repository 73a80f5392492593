import { useEffect, useState } from "react";
import { goTo } from "../../base/router.ts";
import { useTexts } from "../../format/texts.ts";
import { Button } from "../../parts/Button.tsx";
import { Facts } from "../../parts/Facts.tsx";
import { ProblemText } from "../../parts/Failure.tsx";
import { useSaid } from "../../parts/use-said.ts";
import { BadRows } from "./BadRows.tsx";
import type { Mended } from "./entries.ts";
import { reasonOf } from "./reason.ts";
import { addMended, forget, goOn, type Left, leave, type Running, seeEnd, stop } from "./running.ts";

/** How far the import is, and at its end what has become of the file. */
export function Progress({ running }: { running: Running }) {
  const { t, format } = useTexts();
  const { state, total, done, added, updated, refused, left, books, error } = running;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the end is seen when the state says so.
  useEffect(seeEnd, [state]);
  useEffect(() => leave, []);
  const [bookId] = books.map(({ id }) => id);
  const counts: [string, number][] = [
    [t.importing.added, added],
    [t.importing.updated, updated],
    [t.importing.refused, refused.length],
    [t.importing.leftOut, left?.bad.length ?? 0],
  ];
  if (left?.landlines) counts.push([t.landlines.leftOut, left.landlines]);
  return (
    <>
      <section className="card stack narrow">
        <h2 role="status">{t.importing.states[state]}</h2>
        <progress
          max={total}
          value={done}
          aria-label={t.importing.progress}
          aria-valuetext={t.importing.doneOf(format.number(done), format.number(total))}
        />
        <p>{t.importing.doneOf(format.number(done), format.number(total))}</p>
        <Facts facts={counts.map(([title, count]) => [title, format.number(count)])} />
        {books.length > 1 && <p className="note">{t.importing.books(names(books))}</p>}
        {state === "RUNNING" && <p className="faint">{t.importing.leave}</p>}
        {state === "LOST" && <p>{t.importing.lost}</p>}
        {error && <ProblemText error={error} />}
        <div className="actions">
          {state === "RUNNING" && (
            <Button kind="quiet" onPress={stop}>
              {t.importing.stop}
            </Button>
          )}
          {state !== "RUNNING" && (
            <Button kind="quiet" onPress={forget}>
              {state === "DONE" ? t.importing.another : t.importing.otherFile}
            </Button>
          )}
          {(state === "STOPPED" || state === "FAILED") && (
            <Button onPress={goOn}>{state === "FAILED" ? t.state.again : t.importing.goOn}</Button>
          )}
          {state === "DONE" && bookId && (
            <Button onPress={() => goTo(`/phonebooks/${bookId}`)}>{t.importing.open}</Button>
          )}
        </div>
      </section>
      {left && state === "DONE" && (left.bad.length > 0 || refused.length > 0) && (
        <LeftOut running={running} left={left} />
      )}
    </>
  );
}

const names = (books: Running["books"]) => books.map(({ title }) => `\u2068${title}\u2069`).join(" · ");

/** The code of what is wrong with a value. */
const faulty = 422;

function LeftOut({ running: { refused }, left }: { running: Running; left: Left }) {
  const { t, format } = useTexts();
  const said = useSaid();
  const [mended, setMended] = useState<Mended>({});
  const bad = left.bad.filter(({ row }) => mended[row.line] === undefined);
  const items = [
    ...bad.map(({ row, value }) => ({ row, value, reason: reasonOf(t, value) })),
    ...refused.map(({ entry, detail }) => ({
      row: entry.row,
      value: entry.number,
      reason: said({ code: faulty, detail, errors: [] }),
    })),
  ];
  const count = left.bad.length - bad.length;
  const add = () => {
    addMended(mended);
    setMended({});
  };
  return (
    <>
      <BadRows
        source={left}
        bad={items}
        title={t.importing.badTitle(format.number(items.length))}
        hint={t.importing.leftHint}
        onMend={(line, value) => setMended({ ...mended, [line]: value })}
      />
      {count > 0 && (
        <div className="actions">
          <Button onPress={add}>{t.importing.addMended(format.number(count))}</Button>
        </div>
      )}
    </>
  );
}
