import { queryOptions } from "@tanstack/react-query";
import { answer, client, type Schemas } from "../../api/client.ts";

export type Pattern = Schemas["Pattern"];
export type Version = Schemas["PatternVersion"];
export type Variable = Schemas["Variable"];
export type NewVersion = Schemas["NewPatternVersion"];

export const patternsQuery = (cursor: string | undefined) =>
  queryOptions({
    queryKey: ["patterns", "list", { cursor }],
    queryFn: ({ signal }) => answer(client.GET("/pattern", { params: { query: cursor ? { cursor } : {} }, signal })),
  });

export const patternQuery = (slug: string) =>
  queryOptions({
    queryKey: ["patterns", "one", slug],
    queryFn: async ({ signal }) =>
      (await answer(client.GET("/pattern/{slug}", { params: { path: { slug } }, signal }))).data,
  });

export type NewPattern = { title: string; slug?: string; lines: string[]; version: NewVersion | null };

export async function create({ version, ...pattern }: NewPattern) {
  return (await answer(client.POST("/pattern", { body: { ...pattern, ...version } }))).data;
}

export async function change(slug: string, body: { title: string; lines: string[] }) {
  await answer(client.PUT("/pattern/{slug}", { params: { path: { slug } }, body }));
}

export async function addVersion(slug: string, body: NewVersion) {
  return (await answer(client.POST("/pattern/{slug}/versions", { params: { path: { slug } }, body }))).data;
}

export async function activate(slug: string, n: number) {
  await answer(client.POST("/pattern/{slug}/versions/{n}/activate", { params: { path: { slug, n } } }));
}

export async function deactivate(slug: string) {
  await answer(client.POST("/pattern/{slug}/deactivate", { params: { path: { slug } } }));
}

export async function remove(slug: string) {
  await answer(client.DELETE("/pattern/{slug}", { params: { path: { slug } } }));
}
