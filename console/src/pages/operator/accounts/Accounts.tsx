import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { pageQuery } from "../../../api/queries.ts";
import { useMay } from "../../../api/session-context.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { useRoute } from "../../../base/router.ts";
import { Button } from "../../../parts/Button.tsx";
import { Empty } from "../../../parts/Empty.tsx";
import { Heading } from "../../../parts/Heading.tsx";
import { Listing } from "../../../parts/Listing.tsx";
import { NeedsScope } from "../../../parts/NeedsScope.tsx";
import { NameFilter } from "../shared/NameFilter.tsx";
import { AccountTable } from "./AccountTable.tsx";
import { CreateForm } from "./CreateForm.tsx";

export default function Accounts() {
  const o = useOperatorMessages();
  const mayCreate = useMay("admin:accounts");
  const [isCreating, setIsCreating] = useState(false);
  return (
    <>
      <Heading title={o.pages.accounts}>
        {mayCreate && !isCreating && <Button onPress={() => setIsCreating(true)}>{o.accounts.create}</Button>}
      </Heading>
      {isCreating && <CreateForm onClose={() => setIsCreating(false)} />}
      <NeedsScope scope="admin:read">
        <NameFilter label={o.accounts.search} />
        <Found />
      </NeedsScope>
    </>
  );
}

function Found() {
  const o = useOperatorMessages();
  const { query } = useRoute();
  const q = query.get("q") ?? "";
  const list = useQuery({
    ...pageQuery(["accounts", "list"], "/admin/accounts", { query: { q, cursor: query.get("cursor") } }),
    placeholderData: keepPreviousData,
  });
  return (
    <Listing
      query={list}
      empty={<Empty title={q ? o.accounts.noneFound : o.accounts.none}>{!q && <p>{o.accounts.noneText}</p>}</Empty>}
    >
      {(data) => <AccountTable accounts={data} />}
    </Listing>
  );
}
