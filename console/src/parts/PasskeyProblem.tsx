import { useMessages } from "../base/messages.ts";
import { ProblemText } from "./Failure.tsx";

/** Why it came to nothing with a passkey. Who has declined is told so without alarm, as is who was too slow: browsers tell no more. */
export function PasskeyProblem({ error }: { error: Error }) {
  const t = useMessages();
  if (!(error instanceof DOMException)) return <ProblemText error={error} />;
  if (error.name === "NotAllowedError") return <p role="status">{t.passkeys.declined}</p>;
  return (
    <p className="bad" role="alert">
      {error.name === "InvalidStateError" ? t.passkeys.isThere : t.passkeys.impossible}
    </p>
  );
}
