import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useMay } from "../../../api/session-context.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { goTo, useRoute } from "../../../base/router.ts";
import { useOperatorTexts } from "../../../format/operator-texts.ts";
import { Empty } from "../../../parts/Empty.tsx";
import { Filters } from "../../../parts/Filters.tsx";
import { Listing } from "../../../parts/Listing.tsx";
import { Page } from "../../../parts/Page.tsx";
import { choicesOf, Select } from "../../../parts/Select.tsx";
import { creditsQuery } from "../queries.ts";
import { CreditTable, DecideDialog, type Decision } from "./CreditTable.tsx";

export default function Credits() {
  const o = useOperatorMessages();
  return (
    <Page title={o.pages.credits} lead={o.credits.lead} scope="admin:read">
      <StatusFilter />
      <Found />
    </Page>
  );
}

/** What waits for somebody is shown first. */
const usual = "PENDING";

function StatusFilter() {
  const { t, o } = useOperatorTexts();
  const { path, query } = useRoute();
  const choices = choicesOf(o.credits.statuses);
  return (
    <Filters onClear={query.has("status") ? () => goTo(path) : undefined}>
      <Select
        label={t.messages.status}
        value={query.get("status") ?? usual}
        choices={[...choices, { id: "all", text: t.form.all }]}
        onChange={(status) => goTo(path, { status: status === usual ? "" : status })}
      />
    </Filters>
  );
}

function Found() {
  const o = useOperatorMessages();
  const { query } = useRoute();
  const mayDecide = useMay("admin:money");
  const [decision, setDecision] = useState<Decision | null>(null);
  const status = query.get("status") ?? usual;
  const list = useQuery({
    ...creditsQuery(status, query.get("cursor")),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <Listing
        query={list}
        empty={
          <Empty
            title={status === usual ? o.credits.none : o.credits.noneFound}
            text={status === usual && o.credits.noneText}
          />
        }
      >
        {(data) => <CreditTable credits={data} onDecide={mayDecide ? setDecision : undefined} />}
      </Listing>
      {decision && <DecideDialog decision={decision} onClose={() => setDecision(null)} />}
    </>
  );
}
