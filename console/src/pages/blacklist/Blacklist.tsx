import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Schemas } from "../../api/client.ts";
import { pageQuery } from "../../api/queries.ts";
import { useSession } from "../../api/session-context.ts";
import { useMessages } from "../../base/messages.ts";
import { goTo, useRoute } from "../../base/router.ts";
import { Button } from "../../parts/Button.tsx";
import { Empty } from "../../parts/Empty.tsx";
import { Filters } from "../../parts/Filters.tsx";
import { Heading } from "../../parts/Heading.tsx";
import { keepFilled } from "../../parts/keep-filled.ts";
import { Listing } from "../../parts/Listing.tsx";
import { NeedsLive } from "../../parts/NeedsLive.tsx";
import { NeedsScope } from "../../parts/NeedsScope.tsx";
import { SearchField } from "../../parts/SearchField.tsx";
import { BlockedTable } from "./BlockedTable.tsx";
import { BlockForm } from "./BlockForm.tsx";
import { UnblockDialog } from "./UnblockDialog.tsx";

export default function Blacklist() {
  const t = useMessages();
  const { mode, scopes } = useSession();
  const [isAdding, setIsAdding] = useState(false);
  const mayAdd = mode === "live" && scopes.includes("blacklist");
  return (
    <>
      <Heading title={t.blacklist.title}>
        {mayAdd && !isAdding && <Button onPress={() => setIsAdding(true)}>{t.blacklist.add}</Button>}
      </Heading>
      <p className="faint">{t.blacklist.lead}</p>
      <NeedsScope scope="blacklist">
        <NeedsLive>
          {isAdding && <BlockForm onClose={() => setIsAdding(false)} />}
          <Search />
          <Found />
        </NeedsLive>
      </NeedsScope>
    </>
  );
}

function Search() {
  const t = useMessages();
  const { path, query } = useRoute();
  const number = query.get("number") ?? "";
  return (
    <Filters onClear={number ? () => goTo(path) : undefined}>
      <SearchField
        label={t.blacklist.number}
        inputMode="tel"
        value={number}
        onChange={(number) => goTo(path, { number })}
      />
    </Filters>
  );
}

function Found() {
  const t = useMessages();
  const { query } = useRoute();
  const [freed, setFreed] = useState<Schemas["BlockedNumber"] | null>(null);
  const number = query.get("number") ?? "";
  const list = useQuery({
    ...pageQuery(["blacklist", "list"], "/blacklist", { query: { number, cursor: query.get("cursor") } }),
    placeholderData: keepFilled,
  });
  return (
    <Listing
      query={list}
      empty={
        <Empty title={number ? t.blacklist.noneFound : t.blacklist.none}>
          {!number && <p>{t.blacklist.noneText}</p>}
        </Empty>
      }
      isEmptyWhole
    >
      {(data) => (
        <>
          <BlockedTable numbers={data} onFree={setFreed} />
          {freed && <UnblockDialog of={freed} onClose={() => setFreed(null)} />}
        </>
      )}
    </Listing>
  );
}
