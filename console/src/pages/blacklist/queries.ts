import { queryOptions } from "@tanstack/react-query";
import { answer, client, type Schemas } from "../../api/client.ts";

export type BlockedNumber = Schemas["BlockedNumber"];

export const blacklistQuery = (number: string, cursor: string | undefined) =>
  queryOptions({
    queryKey: ["blacklist", "list", { number, cursor }],
    queryFn: ({ signal }) => {
      const query = { ...(number && { number }), ...(cursor && { cursor }) };
      return answer(client.GET("/blacklist", { params: { query }, signal }));
    },
  });

export const block = async (numbers: string[]) => (await answer(client.POST("/blacklist", { body: { numbers } }))).data;

export async function unblock(number: string) {
  await answer(client.DELETE("/blacklist", { params: { query: { number } } }));
}
