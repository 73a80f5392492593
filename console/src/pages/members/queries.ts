import { queryOptions } from "@tanstack/react-query";
import { answer, client, type Schemas } from "../../api/client.ts";

export type Member = Schemas["Member"];
export type NewMember = Schemas["NewAccountMember"];
export type Role = Member["role"];

export const roles = ["OWNER", "SENDER", "FINANCE", "VIEWER"] as const satisfies readonly Role[];

export const membersQuery = (cursor: string | undefined) =>
  queryOptions({
    queryKey: ["members", { cursor }],
    queryFn: ({ signal }) => answer(client.GET("/members", { params: { query: cursor ? { cursor } : {} }, signal })),
  });

export const add = async (body: NewMember) => (await answer(client.POST("/members", { body }))).data;

export const setRole = async (id: string, role: Role) =>
  (await answer(client.PATCH("/members/{id}", { params: { path: { id } }, body: { role } }))).data;

export async function remove(id: string) {
  await answer(client.DELETE("/members/{id}", { params: { path: { id } } }));
}
