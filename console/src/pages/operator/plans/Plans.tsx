import { keepPreviousData } from "@tanstack/react-query";
import { useState } from "react";
import { useChange } from "../../../api/change.ts";
import { client, dataOf } from "../../../api/client.ts";
import { useMay } from "../../../api/session-context.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { goTo, useRoute } from "../../../base/router.ts";
import { Empty } from "../../../parts/Empty.tsx";
import { Listing, usePage } from "../../../parts/Listing.tsx";
import { Page } from "../../../parts/Page.tsx";
import { NameFilter } from "../shared/NameFilter.tsx";
import { emptyPlan, planOf } from "./draft.ts";
import { PlanForm } from "./PlanForm.tsx";
import { PlanTable } from "./PlanTable.tsx";

export default function Plans() {
  const o = useOperatorMessages();
  const mayCreate = useMay("admin:accounts");
  return (
    <Page
      title={o.pages.plans}
      lead={o.plans.lead}
      scope="admin:read"
      adds={mayCreate && o.plans.create}
      form={(close) => <CreateForm onClose={close} />}
    >
      <NameFilter label={o.plans.search} />
      <Found />
    </Page>
  );
}

function CreateForm({ onClose }: { onClose: () => void }) {
  const [draft, setDraft] = useState(emptyPlan);
  const create = useChange({
    ask: () => dataOf(client.POST("/admin/plans", { body: planOf(draft) })),
    stale: [["plans"]],
    onDone: ({ slug }) => goTo(`/plans/${slug}`),
  });
  return (
    <PlanForm
      draft={draft}
      isNew
      change={create}
      onChange={setDraft}
      onSubmit={() => create.mutate()}
      onCancel={onClose}
    />
  );
}

function Found() {
  const o = useOperatorMessages();
  const { query } = useRoute();
  const list = usePage(
    ["plans"],
    "/admin/plans",
    { query: { q: query.get("q") } },
    { placeholderData: keepPreviousData },
  );
  return (
    <Listing query={list} empty={<Empty title={o.plans.noneFound} />}>
      {(data) => <PlanTable plans={data} />}
    </Listing>
  );
}
