import { useState } from "react";
import { client, dataOf, type Schemas } from "../../../api/client.ts";
import { ScopeChecks } from "../../keys/ScopeChecks.tsx";
import { PersonForm } from "../../members/PersonForm.tsx";
import { useOwnScopes } from "../shared/keys/own-scopes.ts";

export function AddForm({ onClose }: { onClose: () => void }) {
  const names = useOwnScopes();
  const [scopes, setScopes] = useState<Schemas["OperatorScope"][]>([]);
  const areMissing = scopes.length === 0;
  return (
    <PersonForm
      rights={(isTried) => (
        <ScopeChecks names={names} value={scopes} onChange={setScopes} isMissing={isTried && areMissing} />
      )}
      hasRights={!areMissing}
      add={(person) => dataOf(client.POST("/admin/members", { body: { ...person, scopes } }))}
      onClose={onClose}
    />
  );
}
