import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { answer, client, type Schemas } from "../../../api/client.ts";
import { live } from "../carriers/queries.ts";

export const carrierQuery = (name: string) =>
  queryOptions({
    queryKey: ["carriers", "one", name],
    queryFn: async ({ signal }) =>
      (await answer(client.GET("/admin/carriers/{name}", { params: { path: { name } }, signal }))).data,
    refetchInterval: live,
  });

/** Changes a carrier, and shows at once what has become of it. */
export function useCarrierChange(name: string, onDone: () => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (body: Schemas["CarrierChange"]) =>
      (await answer(client.PATCH("/admin/carriers/{name}", { params: { path: { name } }, body }))).data,
    onSuccess: (changed) => {
      queryClient.setQueryData(carrierQuery(name).queryKey, changed);
      void queryClient.invalidateQueries({ queryKey: ["carriers"] });
      onDone();
    },
    // A change may have a password: nothing of it stays in memory.
    gcTime: 0,
  });
}

/** The lines that have a route to a carrier, of the first two hundred lines. */
export const linesOfQuery = (carrier: string) =>
  queryOptions({
    queryKey: ["lines", "of-carrier", carrier],
    queryFn: async ({ signal }) => {
      const lines = (await answer(client.GET("/admin/lines", { params: { query: { limit: 200 } }, signal }))).data;
      return lines.filter(({ routes }) =>
        routes.some(({ carriers, backup }) => [...carriers, ...backup].some(({ name }) => name === carrier)),
      );
    },
  });
