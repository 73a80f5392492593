import { queryOptions } from "@tanstack/react-query";
import { answer, client, type Schemas } from "../../../api/client.ts";
import { timesOf } from "../../../parts/days.ts";

export type Entry = Schemas["AuditEntry"];
export type Kind = Entry["thing"]["kind"];
export type Filters = Record<"account" | "key" | "operation" | "thing" | "thingId" | "from" | "to", string>;

/** What was written into the address by hand may be none that there is: then the service says so. */
export const auditQuery = ({ from, to, operation, thing, ...ids }: Filters, cursor: string | undefined) =>
  queryOptions({
    queryKey: ["audit", { from, to, operation, thing, ...ids, cursor }],
    queryFn: ({ signal }) => {
      const set = Object.fromEntries(Object.entries(ids).filter(([, value]) => value));
      const query = {
        ...set,
        ...(operation && { operation: operation as Entry["operation"] }),
        ...(thing && { thing: thing as Kind }),
        ...timesOf(from, to),
        ...(cursor && { cursor }),
      };
      return answer(client.GET("/admin/audit", { params: { query }, signal }));
    },
  });
