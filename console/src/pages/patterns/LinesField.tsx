import { useQuery } from "@tanstack/react-query";
import { useTexts } from "../../format/texts.ts";
import { Checks } from "../../parts/Checks.tsx";
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
          <Checks
            label={t.patterns.lines}
            hint={t.patterns.linesHint}
            choices={[...new Set([...lines, ...value])]}
            value={value}
            onChange={onChange}
          >
            {(number) => <Code>{format.digits(number)}</Code>}
          </Checks>
        );
      }}
    </Loaded>
  );
}
