import { queryOptions } from "@tanstack/react-query";
import { answer, client, type Schemas } from "../../../api/client.ts";

export type Plan = Schemas["Plan"];
export type Refund = Plan["refunds"][number];
export type NewPlan = Schemas["NewPlan"];
export type PlanChange = Schemas["PlanChange"];

export const plansQuery = (q: string, cursor: string | undefined) =>
  queryOptions({
    queryKey: ["plans", { q, cursor }],
    queryFn: ({ signal }) => {
      const query = { ...(q && { q }), ...(cursor && { cursor }) };
      return answer(client.GET("/admin/plans", { params: { query }, signal }));
    },
  });

/** What an account's plan is chosen from: the first 200. */
export const allPlansQuery = queryOptions({
  queryKey: ["plans", "all"],
  queryFn: async ({ signal }) =>
    (await answer(client.GET("/admin/plans", { params: { query: { limit: 200 } }, signal }))).data,
});

/** One plan is found by its slug, which no other plan has. `null`: there is none. */
export const planQuery = (slug: string) =>
  queryOptions({
    queryKey: ["plans", "one", slug],
    queryFn: async ({ signal }) => {
      const query = { q: slug, limit: 200 };
      const { data } = await answer(client.GET("/admin/plans", { params: { query }, signal }));
      return data.find((plan) => plan.slug === slug) ?? null;
    },
  });

export const createPlan = async (body: NewPlan) => (await answer(client.POST("/admin/plans", { body }))).data;

export const changePlan = async (slug: string, body: PlanChange) =>
  (await answer(client.PATCH("/admin/plans/{slug}", { params: { path: { slug } }, body }))).data;
