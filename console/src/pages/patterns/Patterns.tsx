import { useQuery } from "@tanstack/react-query";
import { pageQuery } from "../../api/queries.ts";
import { useSession } from "../../api/session-context.ts";
import { useMessages } from "../../base/messages.ts";
import { goTo, href, useRoute } from "../../base/router.ts";
import { Empty } from "../../parts/Empty.tsx";
import { Heading } from "../../parts/Heading.tsx";
import { Listing } from "../../parts/Listing.tsx";
import { NeedsScope } from "../../parts/NeedsScope.tsx";
import { NewPattern } from "./NewPattern.tsx";
import { PatternTable } from "./PatternTable.tsx";

export default function Patterns() {
  const t = useMessages();
  const { mode, scopes } = useSession();
  const { path, query } = useRoute();
  const mayCreate = scopes.includes("pattern") && mode === "live";
  const isCreating = mayCreate && query.has("new");
  return (
    <>
      <Heading title={t.patterns.title}>
        {mayCreate && !isCreating && (
          <a className="button main" href={href(path, { new: "1" })}>
            {t.patterns.create}
          </a>
        )}
      </Heading>
      <p className="faint">{t.patterns.lead}</p>
      <NeedsScope scope="pattern">
        {mode === "test" && <p className="note">{t.patterns.testKey}</p>}
        {isCreating && <NewPattern onClose={() => goTo(path)} />}
        <PatternList />
      </NeedsScope>
    </>
  );
}

function PatternList() {
  const t = useMessages();
  const { query } = useRoute();
  return (
    <Listing
      query={useQuery(pageQuery(["patterns", "list"], "/pattern", { query: { cursor: query.get("cursor") } }))}
      empty={
        <Empty title={t.patterns.none}>
          <p>{t.patterns.noneText}</p>
        </Empty>
      }
      isEmptyWhole
    >
      {(data) => <PatternTable patterns={data} />}
    </Listing>
  );
}
