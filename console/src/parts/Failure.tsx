import { isForbidden, Problem } from "../api/problem.ts";
import { type Messages, useMessages } from "../base/messages.ts";
import { Button } from "./Button.tsx";

/** What a refused request says, in the person's language, with the page that explains it. */
export function ProblemText({ error }: { error: Error }) {
  const t = useMessages();
  if (!(error instanceof Problem))
    return (
      <p className="bad" role="alert">
        {t.state.network}
      </p>
    );
  const { type } = error.document;
  return (
    <div role="alert">
      <p className="bad">{saidBy(t, error).replaceAll("`", "")}</p>
      <p>
        <a href={helpPage(type, t.app.docsAddress)} target="_blank" rel="noreferrer">
          {t.state.help}
        </a>
      </p>
    </div>
  );
}

/** What is wrong, with the labels of the fields in place of the members of the request, if all of them are known. Some problems name no members. */
function saidBy(t: Messages, { document: { detail, errors = [] } }: Problem): string {
  const labels = new Map(Object.entries<string>(t.fields));
  const said = errors.map(({ pointer, detail }) => ({ label: labels.get(pointer.split("/")[1] ?? ""), detail }));
  if (said.length === 0 || said.some(({ label }) => label === undefined)) return detail;
  return said.map(({ label, detail }) => `${label}: ${detail}`).join(t.form.comma);
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
