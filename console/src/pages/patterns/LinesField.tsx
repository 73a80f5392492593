import { useQuery } from "@tanstack/react-query";
import { Checkbox } from "react-aria-components/Checkbox";
import { CheckboxGroup } from "react-aria-components/CheckboxGroup";
import { Label } from "react-aria-components/Label";
import { useTexts } from "../../format/texts.ts";
import { Code } from "../../parts/Code.tsx";
import { Loaded } from "../../parts/Loaded.tsx";
import { NeedsScope } from "../../parts/NeedsScope.tsx";
import { linesQuery } from "../queries.ts";

type Props = { value: string[]; onChange: (lines: string[]) => void };

/** The lines that a pattern can be sent from. A line that it names and that the account has lost meanwhile stays in the choice. */
export function LinesField(props: Props) {
  return (
    <NeedsScope scope="account:read">
      <Choices {...props} />
    </NeedsScope>
  );
}

function Choices({ value, onChange }: Props) {
  const { t, format } = useTexts();
  return (
    <Loaded query={useQuery(linesQuery)}>
      {(all) => {
        const lines = all.filter(({ operations }) => operations.includes("PATTERN")).map(({ number }) => number);
        return (
          <CheckboxGroup className="field" value={value} onChange={onChange}>
            <Label>{t.patterns.lines}</Label>
            <span className="hint">{t.patterns.linesHint}</span>
            <div className="checks">
              {[...new Set([...lines, ...value])].map((number) => (
                <Checkbox key={number} value={number} className="check">
                  <span className="box" />
                  <Code>{format.digits(number)}</Code>
                </Checkbox>
              ))}
            </div>
          </CheckboxGroup>
        );
      }}
    </Loaded>
  );
}
