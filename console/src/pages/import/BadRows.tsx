import { useState } from "react";
import { Input } from "react-aria-components/Input";
import { useTexts } from "../../format/texts.ts";
import { Button } from "../../parts/Button.tsx";
import { Form } from "../../parts/Form.tsx";
import { handOver } from "../../parts/hand-over.ts";
import { numberOf } from "../compose/numbers.ts";
import { type Mapping, titlesAt } from "./mapping.ts";
import { quoted, type Row, type Table } from "./table.ts";

export type Bad = { row: Row; value: string; reason: string };

/** So many are shown to mend. Who has mended them sees the next ones. */
const shown = 100;

type Source = { table: Table; mapping: Mapping };

type Props = {
  source: Source;
  bad: Bad[];
  title: string;
  hint: string;
  onMend: (line: number, value: string) => void;
};

/** The rows that can't be added, each with its reason: to mend here, or as a file to mend elsewhere. */
export function BadRows({ source, bad, title, hint, onMend }: Props) {
  const { t, format } = useTexts();
  const hasReasons = new Set(bad.map(({ reason }) => reason)).size > 1;
  return (
    <section className="card stack">
      <div className="heading">
        <h2>{title}</h2>
        {bad.length > 0 && (
          <Button kind="quiet" onPress={() => handOver(fileOf(source, bad, t.importing.reason), "bad-lines.csv")}>
            {t.importing.badFile}
          </Button>
        )}
      </div>
      <p className="faint">{bad.length > 0 ? hint : t.importing.allMended}</p>
      <ul className="bad-rows">
        {bad.slice(0, shown).map((item) => (
          <li key={item.row.line}>
            <BadRow bad={item} hasReason={hasReasons} onMend={(value) => onMend(item.row.line, value)} />
          </li>
        ))}
      </ul>
      {bad.length > shown && <p className="hint">{t.importing.more(format.number(bad.length - shown))}</p>}
    </section>
  );
}

type RowProps = { bad: Bad; hasReason: boolean; onMend: (value: string) => void };

function BadRow({ bad: { row, value, reason }, hasReason, onMend }: RowProps) {
  const { t, format } = useTexts();
  const [text, setText] = useState(value);
  const mend = () => {
    if (numberOf(text) !== null) onMend(text.trim());
  };
  const line = format.number(row.line);
  return (
    <>
      <span className="where">
        <b>{t.importing.line(line)}</b> <Cells of={row} />
        {hasReason && <span className="bad">{reason}</span>}
      </span>
      {numberOf(value) === null && (
        <Form className="row" onSubmit={mend}>
          <Input
            className="input"
            dir="ltr"
            inputMode="tel"
            autoComplete="off"
            aria-label={t.importing.mend(line)}
            aria-invalid={numberOf(text) === null}
            value={text}
            onChange={(event) => setText(event.target.value)}
            onBlur={mend}
          />
        </Form>
      )}
    </>
  );
}

/** What the row has, each cell in its own direction. */
function Cells({ of }: { of: Row }) {
  const filled = of.cells.map((text, place) => ({ text, place })).filter(({ text }) => text !== "");
  return (
    <span className="cells faint">
      {filled.map(({ text, place }) => (
        <bdi key={place}>{text}</bdi>
      ))}
    </span>
  );
}

/** The lines as they stood in their file, with the reason as one more column. Excel reads UTF-8 only behind a byte order mark. */
function fileOf({ table, mapping }: Source, bad: Bad[], title: string): Blob {
  const { text, delimiter, rows } = table;
  const first = mapping.hasHeader && rows[titlesAt(table)];
  const line = ({ from, to }: Row, more: string) => `${text.slice(from, to)}${delimiter}${quoted(more, delimiter)}\r\n`;
  const lines = [...(first ? [line(first, title)] : []), ...bad.map(({ row, reason }) => line(row, reason))];
  return new Blob(["\ufeff", ...lines], { type: "text/csv" });
}
