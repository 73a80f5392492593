import { Button as AriaButton, type ButtonProps } from "react-aria-components/Button";

export type Kind = "main" | "quiet" | "danger" | "link";
type Props = Omit<ButtonProps, "className"> & { kind?: Kind; className?: string };

/**
 * A button. While its request is under way it keeps the focus, and does not send again. React Aria's own way to wait leaves an
 * element behind for seconds that names a button which may be gone.
 */
export function Button({ kind = "main", className = "", isPending = false, onPress, type, ...props }: Props) {
  const names = ["button", kind, className, isPending ? "pending" : ""].filter(Boolean).join(" ");
  const press = isPending || !onPress ? {} : { onPress };
  return <AriaButton {...props} {...press} type={isPending ? "button" : (type ?? "button")} className={names} />;
}
