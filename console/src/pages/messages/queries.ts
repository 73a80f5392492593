import { queryOptions } from "@tanstack/react-query";
import { answer, client, type Schemas } from "../../api/client.ts";
import { timesOf } from "../../parts/days.ts";

export type Filters = { status: string; type: string; recipient: string; from: string; to: string };

/** How often a list is asked for again while somebody looks at it, ms. */
const often = 15_000;

/** A filter that was written into the address by hand may be none that there is: then the service says so. */
export const messagesQuery = ({ status, type, recipient, from, to }: Filters, cursor: string | undefined) =>
  queryOptions({
    queryKey: ["messages", "list", { status, type, recipient, from, to, cursor }],
    queryFn: ({ signal }) => {
      const query = {
        ...(status && { status: status as Schemas["MessageStatus"] }),
        ...(type && { type: type as Schemas["MessageType"] }),
        ...(recipient && { recipient }),
        ...timesOf(from, to),
        ...(cursor && { cursor }),
      };
      return answer(client.GET("/messages", { params: { query }, signal }));
    },
    refetchInterval: often,
  });
