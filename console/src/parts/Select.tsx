import { Button } from "react-aria-components/Button";
import { Label } from "react-aria-components/Label";
import { ListBox, ListBoxItem } from "react-aria-components/ListBox";
import { Popover } from "react-aria-components/Popover";
import { Select as AriaSelect, SelectValue } from "react-aria-components/Select";
import { Text } from "react-aria-components/Text";
import { useMessages } from "../base/messages.ts";
import { Icon } from "./Icon.tsx";

/** Who types in the list finds a choice by how `typed` begins, or else its text. */
export type Choice<Id extends string = string> = { id: Id; text: string; typed?: string };

type Props = {
  label: string;
  hint?: string | undefined;
  choices: Choice[];
  value: string;
  onChange: (id: string) => void;
  isDisabled?: boolean;
};

/** A choice that there is none of, as an address written by hand may have it, shows as the first one. */
export function Select({ label, hint, choices, value, onChange, isDisabled = false }: Props) {
  const chosen = choices.find(({ id }) => id === value) ?? choices[0];
  return (
    <AriaSelect
      className="field"
      value={chosen?.id ?? null}
      onChange={(id) => onChange(String(id))}
      isDisabled={isDisabled}
    >
      <Label>{label}</Label>
      {hint && (
        <Text slot="description" className="hint">
          {hint}
        </Text>
      )}
      <Button className="input select">
        <SelectValue />
        <Icon name="down" />
      </Button>
      <Popover className="popover">
        <ListBox items={choices} className="list-box">
          {({ id, text, typed = text }) => (
            <ListBoxItem id={id} textValue={typed} className="option">
              {text}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </AriaSelect>
  );
}

type FilterProps = {
  label: string;
  choices: Choice[];
  /** Empty: all. */
  value: string;
  onChange: (id: string) => void;
};

/** A choice can't have an empty id. */
const all = "all";

/** Narrows a list down to one of the choices, or shows all of it. */
export function FilterSelect({ label, choices, value, onChange }: FilterProps) {
  const t = useMessages();
  return (
    <Select
      label={label}
      value={value || all}
      choices={[{ id: all, text: t.form.all }, ...choices]}
      onChange={(id) => onChange(id === all ? "" : id)}
    />
  );
}

export const choicesOf = <Id extends string>(names: Record<Id, string>): Choice<Id>[] =>
  Object.entries<string>(names).map(([id, text]) => ({ id: id as Id, text }));
