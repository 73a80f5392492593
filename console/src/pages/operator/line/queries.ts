import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { answer, type BodyOf, client, type Schemas } from "../../../api/client.ts";

export const lineQuery = (number: string) =>
  queryOptions({
    queryKey: ["lines", "one", number],
    queryFn: async ({ signal }) =>
      (await answer(client.GET("/admin/lines/{number}", { params: { path: { number } }, signal }))).data,
    refetchInterval: 15_000,
  });

/** Changes a line, and shows at once what has become of it. */
export function useLineChange(number: string, onDone: () => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (body: BodyOf<Schemas["AnyLineChange"]>) =>
      (await answer(client.PATCH("/admin/lines/{number}", { params: { path: { number } }, body }))).data,
    onSuccess: (changed) => {
      queryClient.setQueryData(lineQuery(number).queryKey, changed);
      void queryClient.invalidateQueries({ queryKey: ["lines"] });
      onDone();
    },
  });
}

export const inboundQuery = (number: string) =>
  queryOptions({
    queryKey: ["lines", "inbound", number],
    queryFn: async ({ signal }) =>
      (await answer(client.GET("/admin/lines/{number}/inbound", { params: { path: { number } }, signal }))).data,
  });

export function useInboundChange(number: string, onDone: () => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (body: Schemas["NewLineInbound"]) =>
      (await answer(client.PUT("/admin/lines/{number}/inbound", { params: { path: { number } }, body }))).data,
    onSuccess: (changed) => {
      queryClient.setQueryData(inboundQuery(number).queryKey, changed);
      onDone();
    },
  });
}
