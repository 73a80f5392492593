import type { Messages } from "../../messages/en.ts";
import type { Session } from "../api/session.ts";

/** Who has signed in: a person or a key, of an account or of the operators. */
export function whoIs(t: Messages, { account, member, title }: Session): string {
  if (!account) return member ? t.settings.signedInOperatorMember(title) : t.settings.signedInOperator(title);
  return member ? t.settings.signedInMember(account.fullName, title) : t.settings.signedIn(account.fullName, title);
}
