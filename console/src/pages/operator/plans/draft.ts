// A plan as it is typed, and as it is sent.
import type { Schemas } from "../../../api/client.ts";
import { latinDigits } from "../../../parts/digits.ts";
import { wholeOrTyped } from "../../../parts/whole.ts";

/** One price for numbers that begin with a prefix. The id tells rows apart while they are typed. */
export type PriceRow = { id: string; prefix: string; price: string };
export type PlanDraft = {
  slug: string;
  title: string;
  tariffSlug: string;
  tariffTitle: string;
  price: string;
  prices: PriceRow[];
  refunds: Schemas["Plan"]["refunds"][number][];
};

export const emptyRow = (): PriceRow => ({ id: crypto.randomUUID(), prefix: "", price: "" });

export const emptyPlan: PlanDraft = {
  slug: "",
  title: "",
  tariffSlug: "",
  tariffTitle: "",
  price: "",
  prices: [],
  refunds: [],
};

export const draftOf = ({ slug, title, tariff, refunds }: Schemas["Plan"]): PlanDraft => ({
  slug,
  title,
  tariffSlug: tariff.slug,
  tariffTitle: tariff.title,
  price: String(tariff.price),
  prices: tariff.prices.map(({ prefix, price }) => ({ id: prefix, prefix, price: String(price) })),
  refunds,
});

const isFilled = ({ prefix, price }: PriceRow) => prefix.trim() !== "" || price.trim() !== "";

/** A price list that has no name of its own is called as its plan. Empty rows are left out. */
export function planOf(draft: PlanDraft): Schemas["PlanInput"] {
  const slug = draft.slug.trim();
  const title = draft.title.trim();
  return {
    slug,
    title,
    tariff: {
      slug: draft.tariffSlug.trim() || slug,
      title: draft.tariffTitle.trim() || title,
      price: wholeOrTyped(draft.price),
      prices: draft.prices.filter(isFilled).map(({ prefix, price }) => ({
        prefix: latinDigits(prefix)
          .trim()
          .replace(/^\+|^00/, ""),
        price: wholeOrTyped(price),
      })),
    },
    refunds: draft.refunds,
  };
}
