import type { Schemas } from "../../../../api/client.ts";

/** What the keys of accounts and those of operators have in common. */
export type AnyKey = Schemas["OperatorKey"] & Partial<Pick<Schemas["Key"], "mode">>;

const hasEnded = ({ expiresAt }: AnyKey) => expiresAt !== null && Date.parse(expiresAt) <= Date.now();

export type KeyState = "revoked" | "expired" | "replaced" | "active";

export function stateOf(key: AnyKey): KeyState {
  if (key.revokedAt) return "revoked";
  if (hasEnded(key)) return "expired";
  return key.replacedBy ? "replaced" : "active";
}

export const works = (key: AnyKey) => ["active", "replaced"].includes(stateOf(key));
