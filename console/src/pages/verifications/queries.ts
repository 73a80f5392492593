import { queryOptions } from "@tanstack/react-query";
import { answer, client, type Schemas } from "../../api/client.ts";

export type Row = Schemas["VerifyStatsRow"];
export type By = Schemas["VerifyStats"]["by"];
export type Verification = Schemas["Verification"];

/** What was written into the address by hand may be no day and no way to count: then the service says so. */
export const statsQuery = (by: string, from: string, to: string) =>
  queryOptions({
    queryKey: ["verify", "stats", { by, from, to }],
    queryFn: async ({ signal }) => {
      const query = { by: by as By, ...(from && { from }), ...(to && { to }) };
      return (await answer(client.GET("/verify/stats", { params: { query }, signal }))).data;
    },
  });

export const verificationQuery = (id: string) =>
  queryOptions({
    queryKey: ["verify", "one", id],
    queryFn: async ({ signal }) =>
      (await answer(client.GET("/verify/{id}", { params: { path: { id } }, signal }))).data,
  });
