import { useState } from "react";
import { ScopeChecks } from "../../keys/ScopeChecks.tsx";
import { PersonForm } from "../../members/PersonForm.tsx";
import type { OperatorScope } from "../keys/queries.ts";
import { useOwnScopes } from "../shared/keys/own-scopes.ts";
import { addOperator } from "./queries.ts";

export function AddForm({ onClose }: { onClose: () => void }) {
  const names = useOwnScopes();
  const [scopes, setScopes] = useState<OperatorScope[]>([]);
  const areMissing = scopes.length === 0;
  return (
    <PersonForm
      rights={(isTried) => (
        <ScopeChecks names={names} value={scopes} onChange={setScopes} isMissing={isTried && areMissing} />
      )}
      hasRights={!areMissing}
      add={(person) => addOperator({ ...person, scopes })}
      onClose={onClose}
    />
  );
}
