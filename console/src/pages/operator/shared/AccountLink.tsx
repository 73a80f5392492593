import { useQuery } from "@tanstack/react-query";
import { href } from "../../../base/router.ts";
import { accountQuery } from "../queries.ts";

/** The way to an account, under the name that people know it by. */
export function AccountLink({ id, name }: { id: string; name: string | null }) {
  return (
    <a href={href(`/accounts/${id}`)}>
      <bdi>{name ?? id}</bdi>
    </a>
  );
}

/** The same where the API tells the id only. Until the name is there, the id stands in its place. */
export function AccountOfId({ id }: { id: string }) {
  const { data } = useQuery(accountQuery(id));
  return <AccountLink id={id} name={data?.fullName ?? null} />;
}
