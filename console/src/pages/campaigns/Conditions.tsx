import { useTexts } from "../../format/texts.ts";
import { Button } from "../../parts/Button.tsx";
import { RadioChoice } from "../../parts/RadioChoice.tsx";
import { choicesOf, Select } from "../../parts/Select.tsx";
import { TextField } from "../../parts/TextField.tsx";
import { useAttributes } from "../compose/attributes.ts";
import { newTest, type Operator, type Test, takesValue } from "./draft.ts";
import type { PartProps } from "./faults.ts";

/** A campaign has so many conditions at most. */
const most = 20;

/** What people must have to get it. */
export function Conditions({ draft: { match, tests, phonebooks }, faults, onChange }: PartProps) {
  const { t } = useTexts();
  const attributes = useAttributes(phonebooks);
  const changeOne = (id: string, part: Partial<Test>) =>
    onChange({ tests: tests.map((test) => (test.id === id ? { ...test, ...part } : test)) });
  return (
    <div className="stack">
      <p className="hint">{t.newCampaign.conditionsHint}</p>
      {tests.length > 1 && (
        <RadioChoice
          label={t.newCampaign.match}
          value={match}
          choices={choicesOf(t.newCampaign.matches)}
          onChange={(match) => onChange({ match })}
        />
      )}
      {tests.map((test, place) => (
        <Condition
          key={test.id}
          test={test}
          place={place + 1}
          attributes={attributes}
          onChange={(part) => changeOne(test.id, part)}
          onRemove={() => onChange({ tests: tests.filter(({ id }) => id !== test.id) })}
        />
      ))}
      {faults.tests && <p className="bad">{faults.tests}</p>}
      {tests.length < most && (
        <Button kind="quiet" onPress={() => onChange({ tests: [...tests, newTest()] })}>
          {t.newCampaign.addCondition}
        </Button>
      )}
    </div>
  );
}

type Props = {
  test: Test;
  place: number;
  /** Those that its phonebooks have, as far as they are known. */
  attributes: string[];
  onChange: (part: Partial<Test>) => void;
  onRemove: () => void;
};

function Condition({ test, place, attributes, onChange, onRemove }: Props) {
  const { t, format } = useTexts();
  const number = format.number(place);
  return (
    <fieldset className="condition">
      <legend className="hint">{t.newCampaign.condition(number)}</legend>
      <div className="variables">
        <TextField
          label={t.newCampaign.attribute}
          suggestions={attributes}
          value={test.attribute}
          onChange={(attribute) => onChange({ attribute })}
          maxLength={50}
        />
        <Select
          label={t.newCampaign.comparison}
          value={test.operator}
          choices={choicesOf(t.newCampaign.operators)}
          onChange={(operator) => onChange({ operator: operator as Operator })}
        />
        {takesValue(test.operator) && (
          <TextField
            label={t.newCampaign.value}
            value={test.value}
            onChange={(value) => onChange({ value })}
            maxLength={500}
          />
        )}
      </div>
      <Button kind="link" aria-label={t.newCampaign.removeCondition(number)} onPress={onRemove}>
        {t.newCampaign.remove}
      </Button>
    </fieldset>
  );
}
