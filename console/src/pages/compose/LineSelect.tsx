import { useQuery } from "@tanstack/react-query";
import { useMay } from "../../api/session-context.ts";
import { useMessages } from "../../base/messages.ts";
import { useTexts } from "../../format/texts.ts";
import { Loaded } from "../../parts/Loaded.tsx";
import { Select } from "../../parts/Select.tsx";
import { linesQuery } from "../queries.ts";
import type { Line } from "./queries.ts";

type Props = {
  value: string;
  operation: Line["operations"][number];
  /** The lines of a pattern. None means all. */
  only?: string[] | undefined;
  onChange: (line: string) => void;
};

/** The line to send from. An empty value is the default line, which is all that a key has that may not see the lines. */
export function LineSelect(props: Props) {
  const t = useMessages();
  return useMay("account:read") ? <KnownLines {...props} /> : <p className="hint">{t.compose.defaultLine}</p>;
}

function KnownLines({ value, operation, only = [], onChange }: Props) {
  const { t, format } = useTexts();
  return (
    <Loaded query={useQuery(linesQuery)}>
      {(all) => {
        const lines = all.filter(
          ({ number, operations }) => operations.includes(operation) && (only.length === 0 || only.includes(number)),
        );
        if (lines.length === 0) return <p className="bad">{t.compose.noLine}</p>;
        const known = lines.find(({ number }) => number === value) ?? lines.find((line) => line.default) ?? lines[0];
        const choices = lines.map((line) => ({
          id: line.number,
          text: line.default ? t.compose.default(format.digits(line.number)) : format.digits(line.number),
        }));
        return <Select label={t.compose.line} value={known?.number ?? ""} choices={choices} onChange={onChange} />;
      }}
    </Loaded>
  );
}
