import { queryOptions } from "@tanstack/react-query";
import { answer, client, type Schemas } from "../../../api/client.ts";

export type Credit = Schemas["PendingCredit"];
export type CreditStatus = Credit["status"];

/** How often the list is asked for again while somebody looks at it, ms. */
const often = 30_000;

export const creditsQuery = (status: string, cursor: string | undefined) =>
  queryOptions({
    queryKey: ["credits", { status, cursor }],
    queryFn: ({ signal }) => {
      const query = {
        limit: 20,
        ...(status !== "all" && { status: status as CreditStatus }),
        ...(cursor && { cursor }),
      };
      return answer(client.GET("/admin/credits", { params: { query }, signal }));
    },
    refetchInterval: often,
  });

export async function decide(id: string, isApproved: boolean) {
  const at = { params: { path: { id } } };
  const decided = isApproved
    ? client.POST("/admin/credits/{id}/approve", at)
    : client.POST("/admin/credits/{id}/reject", at);
  return (await answer(decided)).data;
}
