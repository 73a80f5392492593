import { useQueries } from "@tanstack/react-query";
import { useMay, useSession } from "../../api/session-context.ts";
import { useMessages } from "../../base/messages.ts";
import { attributesQuery } from "./queries.ts";

/** So many phonebooks are asked for the names of their attributes. */
const asked = 5;

/** What phonebooks have of each number: its name, as the person's language has it, and attributes. A test key does not see what is in a phonebook. */
export function useAttributes(phonebooks: string[]): string[] {
  const t = useMessages();
  const isLive = useSession().mode === "live";
  const maySee = useMay("phonebook") && isLive;
  const queries = useQueries({
    queries: (maySee ? phonebooks : []).slice(0, asked).map((id) => attributesQuery(id)),
  });
  return [...new Set([t.compose.nameAttribute, ...queries.flatMap(({ data }) => data ?? [])])];
}
