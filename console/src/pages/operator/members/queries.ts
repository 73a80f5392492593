import { queryOptions } from "@tanstack/react-query";
import { answer, client, type Schemas } from "../../../api/client.ts";
import { forADay } from "../../members/queries.ts";

export type OperatorMember = Schemas["OperatorMember"];
type NewOperatorMember = Schemas["NewOperatorMember"];

export const operatorMembersQuery = (cursor: string | undefined) =>
  queryOptions({
    queryKey: ["members", "operators", { cursor }],
    queryFn: ({ signal }) =>
      answer(client.GET("/admin/members", { params: { query: cursor ? { cursor } : {} }, signal })),
  });

export const addOperator = async (body: NewOperatorMember) =>
  (await answer(client.POST("/admin/members", { body }))).data;

export async function removeOperator(id: string, cascade: boolean) {
  const query = cascade ? ({ cascade: "true" } as const) : {};
  await answer(client.DELETE("/admin/members/{id}", { params: { path: { id }, query } }));
}

export const makeOperatorLink = async (id: string) =>
  (await answer(client.POST("/admin/members/{id}/link", { params: { path: { id } }, body: forADay }))).data;
