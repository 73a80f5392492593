import { isForbidden, Problem, Unserved } from "../api/problem.ts";
import { type Messages, useMessages } from "../base/messages.ts";
import { Button } from "./Button.tsx";
import { useSaid } from "./use-said.ts";

/** What a refused request says, in the person's language, with the page that explains it. */
export function ProblemText({ error }: { error: Error }) {
  const t = useMessages();
  const said = useSaid();
  if (!(error instanceof Problem))
    return (
      <p className="bad" role="alert">
        {error instanceof Unserved ? unserved(t, error) : t.state.network}
      </p>
    );
  const { type, status, meta } = error.document;
  const text = status < 500 ? said(error.document) : unserved(t, { status, isChange: error.isChange }, meta?.requestId);
  return (
    <div role="alert">
      <p className="bad">{text}</p>
      <p>
        <a href={helpPage(type, t.app.docsAddress)} target="_blank" rel="noreferrer">
          {t.state.help}
        </a>
      </p>
    </div>
  );
}

/** The service does not do its work, or is not reached by the machines before it. That is no fault of the person's own connection. */
function unserved(t: Messages, { status, isChange }: Pick<Unserved, "status" | "isChange">, requestId?: string) {
  if (status < 500) return t.problems.between(`\u2066${status}\u2069`);
  const text = status === 500 && requestId ? t.problems.internal(`\u2066${requestId}\u2069`) : t.problems.busy;
  return isChange ? `${text} ${t.problems.mayBeDone}` : text;
}

/** The page of a problem as this service has it, in the person's language. */
function helpPage(type: string, docs: string): string {
  const [, name] = /\/problems\/([^/]+)$/.exec(type) ?? [];
  return name ? `${docs}/problems/${name}` : type;
}

/** In the place of what could not be loaded. */
export function Failure({ error, onAgain }: { error: Error; onAgain: () => void }) {
  const t = useMessages();
  // Asking again would not help who may not see it.
  if (isForbidden(error))
    return (
      <section className="state">
        <ProblemText error={error} />
      </section>
    );
  return (
    <section className="state">
      <h2>{t.state.failed}</h2>
      <ProblemText error={error} />
      <Button kind="quiet" onPress={onAgain}>
        {t.state.again}
      </Button>
    </section>
  );
}
