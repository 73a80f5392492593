import { queryOptions } from "@tanstack/react-query";
import { answer, client, type Schemas } from "../../api/client.ts";

export type Phonebook = Schemas["Phonebook"];

/** What a phonebook is called. An empty description counts as none. */
export type Titles = { title: string; description: string };

export const phonebooksQuery = (cursor: string | undefined) =>
  queryOptions({
    queryKey: ["phonebooks", "list", { cursor }],
    queryFn: ({ signal }) => answer(client.GET("/phonebook", { params: { query: cursor ? { cursor } : {} }, signal })),
  });

/** All phonebooks, to choose from. There are 1,000 at most. */
export const allPhonebooksQuery = queryOptions({
  queryKey: ["phonebooks", "all"],
  queryFn: async ({ signal }) => {
    const all: Phonebook[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const query = { limit: 200, ...(cursor && { cursor }) };
      const { data, meta } = await answer(client.GET("/phonebook", { params: { query }, signal }));
      all.push(...data);
      cursor = meta.nextCursor;
    }
    return all;
  },
});

const bodyOf = ({ title, description }: Titles) => ({ title: title.trim(), description: description.trim() || null });

export const create = async (titles: Titles) =>
  (await answer(client.POST("/phonebook", { body: bodyOf(titles) }))).data;

export const change = async (id: string, titles: Titles) =>
  (await answer(client.PUT("/phonebook/{id}", { params: { path: { id } }, body: bodyOf(titles) }))).data;

export async function remove(id: string) {
  await answer(client.DELETE("/phonebook/{id}", { params: { path: { id } } }));
}
