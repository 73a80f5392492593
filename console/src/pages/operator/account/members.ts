import { queryOptions } from "@tanstack/react-query";
import { answer, client, type Schemas } from "../../../api/client.ts";

const at = (id: string) => ({ path: { id } });

export const accountMembersQuery = (id: string, cursor: string | undefined) =>
  queryOptions({
    queryKey: ["members", id, { cursor }],
    queryFn: ({ signal }) => {
      const params = { ...at(id), query: cursor ? { cursor } : {} };
      return answer(client.GET("/admin/accounts/{id}/members", { params, signal }));
    },
  });

export const addTo = async (id: string, body: Schemas["NewAccountMember"]) =>
  (await answer(client.POST("/admin/accounts/{id}/members", { params: at(id), body }))).data;

export const inviteTo = (id: string) => (member: string) =>
  answer(client.POST("/admin/accounts/{id}/members/{member}/invitation", { params: { path: { id, member } } }));

export async function removeFrom(id: string, member: string, cascade: boolean) {
  const query = cascade ? ({ cascade: "true" } as const) : {};
  await answer(client.DELETE("/admin/accounts/{id}/members/{member}", { params: { path: { id, member }, query } }));
}

/** A link to the console that shows the account as a viewer sees it. */
export const lookAt = async (id: string) =>
  (await answer(client.POST("/admin/accounts/{id}/console-link", { params: at(id) }))).data;
