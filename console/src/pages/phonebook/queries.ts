import { queryOptions } from "@tanstack/react-query";
import { answer, client, type Schemas } from "../../api/client.ts";

export type SavedNumber = Schemas["Number"];
export type NewNumber = { number: string; name?: string };
export type NumberChange = { number: string; name: string | null; attributes: Record<string, string> | null };

export const phonebookQuery = (id: string) =>
  queryOptions({
    queryKey: ["phonebooks", "one", id],
    queryFn: async ({ signal }) =>
      (await answer(client.GET("/phonebook/{id}", { params: { path: { id } }, signal }))).data,
  });

export const numbersQuery = (phonebookId: string, q: string, cursor: string | undefined) =>
  queryOptions({
    queryKey: ["phonebooks", "numbers", phonebookId, { q, cursor }],
    queryFn: ({ signal }) => {
      const params = { path: { phonebookId }, query: { ...(q && { q }), ...(cursor && { cursor }) } };
      return answer(client.GET("/phonebook/number/{phonebookId}", { params, signal }));
    },
  });

export async function add(phonebookId: string, numbers: NewNumber[]) {
  const params = { path: { phonebookId } };
  return (await answer(client.POST("/phonebook/number/{phonebookId}", { params, body: { numbers } }))).data;
}

export async function changeNumber(phonebookId: string, numberId: number, body: NumberChange) {
  const params = { path: { phonebookId, numberId } };
  await answer(client.PUT("/phonebook/number/{phonebookId}/{numberId}", { params, body }));
}

export async function removeNumber(phonebookId: string, numberId: number) {
  const params = { path: { phonebookId, numberId } };
  await answer(client.DELETE("/phonebook/number/{phonebookId}/{numberId}", { params }));
}

/** All numbers as a file. */
export const numbersFile = (id: string): Promise<Blob> =>
  answer(client.GET("/phonebook/{id}/export", { params: { path: { id } }, parseAs: "blob" }));
