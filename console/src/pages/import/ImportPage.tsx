import { useQuery } from "@tanstack/react-query";
import type { Schemas } from "../../api/client.ts";
import { useSession } from "../../api/session-context.ts";
import { useMessages } from "../../base/messages.ts";
import { href } from "../../base/router.ts";
import { Loaded } from "../../parts/Loaded.tsx";
import { Page } from "../../parts/Page.tsx";
import { phonebookQuery } from "../queries.ts";
import { useDraft } from "./draft.ts";
import { Preview } from "./Preview.tsx";
import { Progress } from "./Progress.tsx";
import { useRunning } from "./running.ts";
import { Source } from "./Source.tsx";

export default function ImportPage({ id }: { id: string }) {
  const t = useMessages();
  const isLive = useSession().mode === "live";
  return (
    <Page title={t.importing.title} back={[`/phonebooks/${id}`, t.importing.back]} scope="phonebook">
      {isLive ? <Found id={id} /> : <p className="state">{t.phonebooks.testLead}</p>}
    </Page>
  );
}

function Found({ id }: { id: string }) {
  const query = useQuery(phonebookQuery(id));
  return <Loaded query={query}>{(phonebook) => <Import key={id} phonebook={phonebook} />}</Loaded>;
}

/** First a file, then what is in it, then how far it is. There is one import at a time. */
function Import({ phonebook }: { phonebook: Schemas["Phonebook"] }) {
  const t = useMessages();
  const running = useRunning();
  const { draft, set } = useDraft(phonebook.id);
  if (running?.books.some(({ id }) => id === phonebook.id)) return <Progress running={running} />;
  if (running?.state === "RUNNING")
    return (
      <p className="state">
        {t.importing.other}
        <a href={href(`/phonebooks/${running.books[0]?.id}/import`)}>{t.importing.toOther}</a>
      </p>
    );
  return draft ? (
    <Preview phonebook={phonebook} draft={draft} onChange={set} />
  ) : (
    <Source phonebook={phonebook} onRead={set} />
  );
}
