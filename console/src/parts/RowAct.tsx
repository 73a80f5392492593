import { Button } from "./Button.tsx";

type Props = {
  text: string;
  /** What it does to which row, for who hears the button alone. */
  label?: string;
  isBad?: boolean;
  isPending?: boolean;
  onPress: () => void;
};

/** What can be done to one row of a list. */
export function RowAct({ text, label, isBad, isPending = false, onPress }: Props) {
  return (
    <Button
      kind="link"
      className={isBad ? "bad" : ""}
      {...(label && { "aria-label": label })}
      isPending={isPending}
      onPress={onPress}
    >
      {text}
    </Button>
  );
}
