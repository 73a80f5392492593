import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import type { Schemas } from "../../api/client.ts";
import { useTexts } from "../../format/texts.ts";
import { Button } from "../../parts/Button.tsx";
import { Code } from "../../parts/Code.tsx";
import { RadioChoice } from "../../parts/RadioChoice.tsx";
import { type Column, Table } from "../../parts/Table.tsx";
import { YesNo } from "../../parts/YesNo.tsx";
import { mostRecipients } from "../phonebooks/limits.ts";
import { BadRows } from "./BadRows.tsx";
import { Columns } from "./Columns.tsx";
import type { Draft } from "./draft.ts";
import { attributesOf, type Entry, type Sorted, sortOut, withLandlines, withMended } from "./entries.ts";
import { columnsOf, faultOf, type Mapping } from "./mapping.ts";
import { Found, NumberColumns } from "./Questions.tsx";
import { reasonOf } from "./reason.ts";
import { forget, start, useOwner } from "./running.ts";

type Props = { phonebook: Schemas["Phonebook"]; draft: Draft; onChange: (draft: Draft | null) => void };

/** What the file would add, before it does. */
export function Preview({ phonebook, draft, onChange }: Props) {
  const { t, format } = useTexts();
  const { table, mapping, mended, landlines } = draft;
  const fault = faultOf(mapping.columns);
  const base = useSorted(draft);
  const whole = useMemo(() => base && withMended(base, mended, mapping.columns), [base, mended, mapping.columns]);
  const found = useMemo(() => whole && withLandlines(whole, landlines), [whole, landlines]);
  const sorted = found?.sorted;
  const [sharing, setSharing] = useState("shared");
  const begin = useStart(phonebook, draft);
  const count = sorted?.entries.size ?? 0;
  const isLarge = count > mostRecipients;
  const setColumns = (columns: Mapping["columns"]) =>
    onChange({ ...draft, mapping: { ...mapping, columns }, mended: {} });
  const setHeader = (hasHeader: boolean) =>
    onChange({ ...draft, mapping: { hasHeader, columns: columnsOf(table, hasHeader) }, mended: {} });
  return (
    <>
      <section className="card stack">
        <div className="heading">
          <h2>{t.importing.columns}</h2>
          <bdi className="faint">{draft.name}</bdi>
        </div>
        {draft.sheet && <p className="note">{t.importing.sheet(`\u2068${draft.sheet}\u2069`)}</p>}
        <p className="faint">{t.importing.columnsText}</p>
        <YesNo label={t.importing.hasHeader} value={mapping.hasHeader} onChange={setHeader} />
        <NumberColumns table={table} mapping={mapping} onChange={setColumns} />
        <Columns table={table} mapping={mapping} onChange={setColumns} />
        {fault === "noNumber" && <p className="bad">{t.importing.faults.noNumber}</p>}
        {fault === "manyAttributes" && <p className="bad">{t.importing.faults.manyAttributes}</p>}
      </section>
      <section className="card stack" aria-busy={!sorted}>
        <h2>{t.importing.preview}</h2>
        <p role="status">{sorted ? <Counts sorted={sorted} /> : t.importing.counting}</p>
        {found && sorted && (
          <Found
            sorted={sorted}
            landlineCount={found.count}
            landlines={landlines}
            onChange={(landlines) => onChange({ ...draft, landlines })}
          />
        )}
        {sorted && <EntryTable sorted={sorted} attributes={attributesOf(mapping.columns)} />}
      </section>
      {base && sorted && base.bad.length > 0 && (
        <BadRows
          key={JSON.stringify(mapping)}
          source={draft}
          bad={sorted.bad.map(({ row, value }) => ({ row, value, reason: reasonOf(t, value) }))}
          title={t.importing.badTitle(format.number(sorted.bad.length))}
          hint={t.importing.badHint}
          onMend={(line, value) => onChange({ ...draft, mended: { ...mended, [line]: value } })}
        />
      )}
      <section className="card stack">
        {isLarge ? (
          <RadioChoice
            label={t.importing.sharing(format.number(count), format.number(mostRecipients))}
            value={sharing}
            onChange={setSharing}
            choices={[
              { id: "shared", text: t.importing.shared(format.number(Math.ceil(count / mostRecipients))) },
              { id: "one", text: t.importing.one },
            ]}
          />
        ) : (
          phonebook.count + count > mostRecipients && (
            <p className="note">{t.importing.grows(format.number(mostRecipients))}</p>
          )
        )}
        <div className="actions">
          <Button kind="quiet" onPress={() => onChange(null)}>
            {t.importing.otherFile}
          </Button>
          <Button
            isDisabled={!sorted || count === 0 || fault !== undefined}
            onPress={() => found && begin(found, isLarge && sharing === "shared")}
          >
            {t.importing.start(format.number(count))}
          </Button>
        </div>
      </section>
    </>
  );
}

function Counts({ sorted }: { sorted: Sorted }) {
  const { t, format } = useTexts();
  return [
    t.phonebook.numbers(format.number(sorted.entries.size)),
    sorted.double > 0 && t.importing.double(format.number(sorted.double)),
    sorted.bad.length > 0 && t.importing.bad(format.number(sorted.bad.length)),
  ]
    .filter(Boolean)
    .join(" · ");
}

/** The rows as the columns say, sorted piece by piece: until they all are it is `null`. */
function useSorted({ table, mapping }: Draft): Sorted | null {
  const [done, setDone] = useState<{ of: unknown; sorted: Sorted } | null>(null);
  useEffect(() => {
    const wanted = new AbortController();
    void sortOut(table, mapping, wanted.signal).then((sorted) => sorted && setDone({ of: mapping, sorted }));
    return () => wanted.abort();
  }, [table, mapping]);
  return done?.of === mapping ? done.sorted : null;
}

type Wanted = ReturnType<typeof withLandlines>;

function useStart(book: Schemas["Phonebook"], { table, mapping, landlines }: Draft) {
  const queryClient = useQueryClient();
  const owner = useOwner();
  return ({ sorted: { entries, bad }, count }: Wanted, isShared: boolean) => {
    forget();
    start({
      owner,
      book,
      entries: [...entries.values()],
      attributes: attributesOf(mapping.columns),
      isShared,
      left: { table, mapping, bad, landlines: landlines === "out" ? count : 0 },
      afterPortion: () => void queryClient.invalidateQueries({ queryKey: ["phonebooks"] }),
      // The session may have ended: then the sign-in comes, and the import can go on after it.
      afterFailure: () => void queryClient.invalidateQueries({ queryKey: ["session"] }),
    });
    queryClient.setQueryData(["import", book.id], null);
  };
}

const shown = 5;

/** The first numbers as the phonebook would have them. */
function EntryTable({ sorted, attributes }: { sorted: Sorted; attributes: string[] }) {
  const { t, format } = useTexts();
  const rows = Array.from(sorted.entries.values()).slice(0, shown);
  const columns: Column<Entry>[] = [
    { title: t.phonebook.number, isTitle: true, cell: ({ number }) => <Code>{format.phone(number)}</Code> },
    { title: t.phonebook.name, cell: ({ name }) => <bdi className="cell-text">{name || "–"}</bdi> },
    ...attributes.map(
      (title, place): Column<Entry> => ({
        title,
        isWide: place === attributes.length - 1,
        cell: ({ values }) => <bdi className="cell-text">{values[place] || "–"}</bdi>,
      }),
    ),
  ];
  return (
    <div className="wide-table">
      <Table caption={t.importing.preview} columns={columns} rows={rows} idOf={({ number }) => number} />
    </div>
  );
}
