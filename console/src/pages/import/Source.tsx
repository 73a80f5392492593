import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { FileTrigger } from "react-aria-components/FileTrigger";
import type { Schemas } from "../../api/client.ts";
import { useTexts } from "../../format/texts.ts";
import { Button } from "../../parts/Button.tsx";
import { Form } from "../../parts/Form.tsx";
import { TextField } from "../../parts/TextField.tsx";
import { type Draft, draftOf } from "./draft.ts";
import { NotLoaded, OldWorkbook, readFile } from "./file.ts";
import { BadQuote } from "./table.ts";

type Props = { phonebook: Schemas["Phonebook"]; onRead: (draft: Draft) => void };

const fileTypes = [".xlsx", ".csv", ".tsv", ".txt", ".xls", "text/csv"];

/** More than a phonebook may have does not fit into a file of this size either. */
const mostBytes = 100_000_000;

/** Where the numbers come from: a file, or what was copied from a spreadsheet. */
export function Source({ phonebook, onRead }: Props) {
  const { t, format } = useTexts();
  const [pasted, setPasted] = useState("");
  const [fault, setFault] = useState<string | undefined>();
  const read = useMutation({
    mutationFn: async ({ name, blob }: { name: string; blob: Blob }) => draftOf(name, await readFile(blob)),
    onSuccess: (draft) => (draft.table.rows.length > 0 ? onRead(draft) : setFault(t.importing.empty)),
    onError: (error) => setFault(faultOf(error)),
  });
  const faultOf = (error: Error) => {
    if (error instanceof OldWorkbook) return t.importing.oldWorkbook;
    if (error instanceof NotLoaded) return t.state.network;
    if (!(error instanceof BadQuote)) return t.importing.unreadable;
    const line = format.number(error.line);
    return error.closed === undefined
      ? t.importing.unclosed(line)
      : t.importing.closedLate(line, format.number(error.closed));
  };
  const take = (file: File | undefined) => {
    if (!file) return;
    setFault(file.size > mostBytes ? t.importing.tooLarge : undefined);
    if (file.size <= mostBytes) read.mutate({ name: file.name, blob: file });
  };
  const submit = () => {
    setFault(pasted.trim() === "" ? t.importing.empty : undefined);
    if (pasted.trim() !== "") read.mutate({ name: t.importing.pasted, blob: new Blob([pasted]) });
  };
  return (
    <>
      <p>{t.importing.lead(`\u2068${phonebook.title}\u2069`)}</p>
      <section className="card stack narrow" aria-busy={read.isPending}>
        <h2>{t.importing.fromFile}</h2>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: to drop a file is a shortcut; the button does the same. */}
        <div
          className="drop-zone"
          onDragOver={(event) => event.preventDefault()}
          onDrop={(event) => {
            event.preventDefault();
            take(event.dataTransfer.files[0]);
          }}
        >
          <FileTrigger acceptedFileTypes={fileTypes} onSelect={(files) => take(files?.[0])}>
            <Button>{t.importing.choose}</Button>
          </FileTrigger>
          <p className="hint">{t.importing.fileHint}</p>
        </div>
        {fault && (
          <p className="bad" role="alert">
            {fault}
          </p>
        )}
        <details>
          <summary>{t.importing.fromText}</summary>
          <Form onSubmit={submit}>
            <TextField
              label={t.importing.text}
              hint={t.importing.textHint}
              rows={8}
              value={pasted}
              onChange={setPasted}
            />
            <div className="actions">
              <Button type="submit" kind="quiet" isPending={read.isPending}>
                {t.importing.read}
              </Button>
            </div>
          </Form>
        </details>
      </section>
    </>
  );
}
