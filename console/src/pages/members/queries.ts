import { queryOptions } from "@tanstack/react-query";
import { answer, client, type Schemas } from "../../api/client.ts";

export type Member = Schemas["Member"];
export type NewMember = Schemas["NewAccountMember"];
export type Role = Member["role"];
export type Required = Schemas["SignInRule"]["require"];

export const roles = ["OWNER", "SENDER", "FINANCE", "VIEWER"] as const satisfies readonly Role[];

export const membersQuery = (cursor: string | undefined) =>
  queryOptions({
    queryKey: ["members", { cursor }],
    queryFn: ({ signal }) => answer(client.GET("/members", { params: { query: cursor ? { cursor } : {} }, signal })),
  });

export const add = async (body: NewMember) => (await answer(client.POST("/members", { body }))).data;

export const setRole = async (id: string, role: Role) =>
  (await answer(client.PATCH("/members/{id}", { params: { path: { id } }, body: { role } }))).data;

export async function remove(id: string, cascade: boolean) {
  const query = cascade ? ({ cascade: "true" } as const) : {};
  await answer(client.DELETE("/members/{id}", { params: { path: { id }, query } }));
}

export const invite = (id: string) => answer(client.POST("/members/{id}/invitation", { params: { path: { id } } }));

/** How long the link of a member counts: the person may not be at hand. */
export const forADay = { ttlSeconds: 86_400 };

export const makeLink = async (id: string) =>
  (await answer(client.POST("/members/{id}/link", { params: { path: { id } }, body: forADay }))).data;

export const signInRuleQuery = queryOptions({
  queryKey: ["members", "rule"],
  queryFn: async ({ signal }) => (await answer(client.GET("/members/sign-in", { signal }))).data,
});

export const setSignInRule = async (require: Required) =>
  (await answer(client.PUT("/members/sign-in", { body: { require } }))).data;
