import { useQueries } from "@tanstack/react-query";
import { answer, client, type Schemas } from "../../../api/client.ts";
import { dataQuery } from "../../../api/queries.ts";

const nameQuery = (id: string) => ({
  ...dataQuery(["accounts", "username"], "/admin/accounts/{id}", { path: { id } }, { staleTime: Infinity }),
  select: ({ username }: Schemas["Account"]) => username,
});

/** The usernames of accounts by their ids; an id stands for itself until its name is known. */
export function useUsernames(ids: string[]): string[] {
  const names = useQueries({ queries: ids.map(nameQuery) });
  return ids.map((id, index) => names[index]?.data ?? id);
}

/** The account with this username, or else the only one whose username, name or id begins so. */
export async function accountLike(text: string) {
  const { data } = await answer(client.GET("/admin/accounts", { params: { query: { q: text, limit: 200 } } }));
  const [first, second] = data;
  return data.find((account) => account.username === text) ?? (second ? null : (first ?? null));
}

/** The account with exactly this username, if there is one. */
export async function accountNamed(username: string) {
  const query = { q: username, limit: 200 };
  const { data } = await answer(client.GET("/admin/accounts", { params: { query } }));
  return data.find((account) => account.username === username) ?? null;
}
