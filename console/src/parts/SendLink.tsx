import { useMay } from "../api/session-context.ts";
import { href } from "../base/router.ts";

type Props = {
  /** The number of a person, or the id of a phonebook. */
  to: { to: string } | { book: string };
  text: string;
  /** To whom it goes, for who hears the link alone. */
  label?: string;
  isButton?: boolean;
};

/** The way to a new message that has its recipients, for who may send one. */
export function SendLink({ to, text, label, isButton }: Props) {
  return (
    useMay("sms:send") && (
      <a href={href("/compose", to)} {...(isButton && { className: "button main" })} aria-label={label}>
        {text}
      </a>
    )
  );
}
