import { queryOptions } from "@tanstack/react-query";
import { answer, client, type Schemas } from "../../../api/client.ts";

export type DeadLetter = Schemas["DeadLetter"];
export type Kind = DeadLetter["kind"];
export type Filters = { account: string; kind: string };

/** A kind that was written into the address by hand may be none that there is: then the service says so. */
export const deadLettersQuery = ({ account, kind }: Filters, cursor: string | undefined) =>
  queryOptions({
    queryKey: ["dead-letters", "list", { account, kind, cursor }],
    queryFn: ({ signal }) => {
      const query = { ...(account && { account }), ...(kind && { kind: kind as Kind }), ...(cursor && { cursor }) };
      return answer(client.GET("/admin/dead-letters", { params: { query }, signal }));
    },
    refetchInterval: 15_000,
  });
