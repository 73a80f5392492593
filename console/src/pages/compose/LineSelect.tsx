import { useQuery } from "@tanstack/react-query";
import { useMessages } from "../../base/messages.ts";
import { useFormat } from "../../format/format.ts";
import { Loaded } from "../../parts/Loaded.tsx";
import { Select } from "../../parts/Select.tsx";
import { linesQuery } from "./queries.ts";

/** The line to send from. An empty value is the default line. */
export function LineSelect({ value, onChange }: { value: string; onChange: (line: string) => void }) {
  const t = useMessages();
  const format = useFormat();
  return (
    <Loaded query={useQuery(linesQuery)}>
      {(all) => {
        const lines = all.filter(({ operations }) => operations.includes("WEBSERVICE"));
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
