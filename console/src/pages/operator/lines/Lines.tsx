import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { pageQuery } from "../../../api/queries.ts";
import { useMay } from "../../../api/session-context.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { goTo, useRoute } from "../../../base/router.ts";
import { Button } from "../../../parts/Button.tsx";
import { Empty } from "../../../parts/Empty.tsx";
import { Heading } from "../../../parts/Heading.tsx";
import { Listing } from "../../../parts/Listing.tsx";
import { NeedsScope } from "../../../parts/NeedsScope.tsx";
import { NameFilter } from "../shared/NameFilter.tsx";
import { LineTable } from "./LineTable.tsx";
import { NewLine } from "./NewLine.tsx";

export default function Lines() {
  const o = useOperatorMessages();
  const mayChange = useMay("admin:carriers");
  const [isMaking, setIsMaking] = useState(false);
  const show = (number: string) => goTo(`/lines/${encodeURIComponent(number)}`);
  return (
    <>
      <Heading title={o.pages.lines}>
        {mayChange && !isMaking && <Button onPress={() => setIsMaking(true)}>{o.lines.add}</Button>}
      </Heading>
      {isMaking && <NewLine onClose={() => setIsMaking(false)} onMade={show} />}
      <NeedsScope scope="admin:read">
        <NameFilter label={o.lines.find} />
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
    ...pageQuery(["lines", "list"], "/admin/lines", { query: { q, cursor: query.get("cursor") } }),
    refetchInterval: 15_000,
    placeholderData: keepPreviousData,
  });
  return (
    <Listing query={list} empty={<Empty title={q ? o.lines.noneFound : o.lines.none} />}>
      {(data) => <LineTable lines={data} />}
    </Listing>
  );
}
