import { queryOptions, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useChange } from "../../../api/change.ts";
import { client, dataOf, type Schemas } from "../../../api/client.ts";
import { read } from "../../../api/queries.ts";
import { useMay } from "../../../api/session-context.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { useOperatorTexts } from "../../../format/operator-texts.ts";
import { ConfirmDialog, type LookActs } from "../../../parts/ConfirmDialog.tsx";
import { Empty } from "../../../parts/Empty.tsx";
import { Heading } from "../../../parts/Heading.tsx";
import { Loaded } from "../../../parts/Loaded.tsx";
import { NeedsScope } from "../../../parts/NeedsScope.tsx";
import { Back } from "../../../parts/Page.tsx";
import { useUnit } from "../shared/unit.ts";
import { draftOf, type PlanDraft, planOf } from "./draft.ts";
import { PlanForm } from "./PlanForm.tsx";
import { PlanTable } from "./PlanTable.tsx";

/** One plan is found by its slug, which no other plan has. `null`: there is none. */
const planQuery = (slug: string) =>
  queryOptions({
    queryKey: ["plans", "one", slug],
    queryFn: async ({ signal }) => {
      const { data } = await read("/admin/plans", { query: { q: slug, limit: 200 } }, signal);
      return data.find((plan) => plan.slug === slug) ?? null;
    },
  });

export default function PlanPage({ slug }: { slug: string }) {
  const o = useOperatorMessages();
  const mayChange = useMay("admin:accounts");
  return (
    <NeedsScope scope="admin:read">
      <Back to="/plans">{o.plans.back}</Back>
      <Loaded query={useQuery(planQuery(slug))}>
        {(plan) =>
          plan === null ? (
            <Empty title={o.plans.noneFound} />
          ) : (
            <>
              <Heading title={plan.title} />
              {mayChange ? <Change plan={plan} /> : <Shown plan={plan} />}
            </>
          )
        }
      </Loaded>
    </NeedsScope>
  );
}

function Shown({ plan }: { plan: Schemas["Plan"] }) {
  return (
    <section className="card">
      <PlanTable plans={[plan]} />
    </section>
  );
}

/** A change holds for all accounts of the plan at once, so it is looked over before. */
function Change({ plan }: { plan: Schemas["Plan"] }) {
  const o = useOperatorMessages();
  const [draft, setDraft] = useState(() => draftOf(plan));
  const [isLooking, setIsLooking] = useState(false);
  const save = useChange({
    ask: () => {
      const { title, tariff, refunds } = planOf(draft);
      return dataOf(
        client.PATCH("/admin/plans/{slug}", {
          params: { path: { slug: plan.slug } },
          body: { title, tariff, refunds },
        }),
      );
    },
    stale: [["plans"]],
    replaces: planQuery(plan.slug),
    onDone: (changed) => {
      setIsLooking(false);
      setDraft(draftOf(changed));
    },
  });
  const change = (changed: PlanDraft) => {
    save.reset();
    setDraft(changed);
  };
  return (
    <>
      <PlanForm
        draft={draft}
        isNew={false}
        change={save}
        done={save.isSuccess ? o.form.saved : undefined}
        onChange={change}
        onSubmit={() => setIsLooking(true)}
      />
      {isLooking && (
        <LastLook
          plan={plan}
          draft={draft}
          change={save}
          onSubmit={() => save.mutate()}
          onClose={() => setIsLooking(false)}
        />
      )}
    </>
  );
}

function LastLook({ plan, draft, ...acts }: LookActs & { plan: Schemas["Plan"]; draft: PlanDraft }) {
  const { o, format } = useOperatorTexts();
  const unit = useUnit();
  const now = planOf(draft);
  const money = (price: unknown) => (typeof price === "number" ? format.money(price, unit) : String(price));
  return (
    <ConfirmDialog title={o.plans.lookTitle(plan.title)} submit={o.form.save} kind="main" {...acts}>
      <p>{o.plans.lookPrice(money(plan.tariff.price), money(now.tariff.price))}</p>
      <p>
        {o.plans.lookPrefixes(format.number(plan.tariff.prices.length), format.number(now.tariff.prices?.length ?? 0))}
      </p>
      <p>{o.plans.lookText}</p>
    </ConfirmDialog>
  );
}
