import { queryOptions, useQueries } from "@tanstack/react-query";
import { answer, client } from "../../../api/client.ts";

const nameQuery = (id: string) =>
  queryOptions({
    queryKey: ["accounts", "username", id],
    queryFn: async ({ signal }) =>
      (await answer(client.GET("/admin/accounts/{id}", { params: { path: { id } }, signal }))).data.username,
    staleTime: Infinity,
  });

/** The usernames of accounts by their ids; an id stands for itself until its name is known. */
export function useUsernames(ids: string[]): string[] {
  const names = useQueries({ queries: ids.map(nameQuery) });
  return ids.map((id, index) => names[index]?.data ?? id);
}

/** The account with exactly this username, if there is one. */
export async function accountNamed(username: string) {
  const query = { q: username, limit: 200 };
  const { data } = await answer(client.GET("/admin/accounts", { params: { query } }));
  return data.find((account) => account.username === username) ?? null;
}
