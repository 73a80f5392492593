import type { Schemas } from "../../../api/client.ts";
import { href } from "../../../base/router.ts";
import { useOperatorTexts } from "../../../format/operator-texts.ts";
import { type Column, Table } from "../../../parts/Table.tsx";
import { Clip } from "../shared/Clip.tsx";
import { useUnit } from "../shared/unit.ts";

export function PlanTable({ plans }: { plans: Schemas["Plan"][] }) {
  const { t, o, format } = useOperatorTexts();
  const unit = useUnit();
  const columns: Column<Schemas["Plan"]>[] = [
    {
      title: o.plans.title,
      isWide: true,
      isTitle: true,
      cell: ({ slug, title }) => (
        <a href={href(`/plans/${slug}`)}>
          <bdi>{title}</bdi>
        </a>
      ),
    },
    { title: o.plans.slug, cell: ({ slug }) => <Clip isCode>{slug}</Clip> },
    { title: o.plans.price, isNumber: true, cell: ({ tariff }) => format.money(tariff.price, unit) },
    { title: o.plans.byPrefix, isNumber: true, cell: ({ tariff }) => format.number(tariff.prices.length) },
    {
      title: o.plans.refunds,
      cell: ({ refunds }) => refunds.map((status) => t.recipientStatuses[status]).join(o.form.comma) || "–",
    },
  ];
  return <Table caption={o.pages.plans} columns={columns} rows={plans} idOf={({ slug }) => slug} />;
}
