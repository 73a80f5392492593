import { useMessages } from "../../base/messages.ts";
import { Checks } from "../../parts/Checks.tsx";

type Props<Scope extends string> = {
  names: Partial<Record<Scope, string>>;
  hint?: string | undefined;
  value: Scope[];
  onChange: (scopes: Scope[]) => void;
  isMissing: boolean;
};

export function ScopeChecks<Scope extends string>({ names, isMissing, ...props }: Props<Scope>) {
  const t = useMessages();
  return (
    <Checks
      label={t.keys.scopes}
      choices={Object.keys(names) as Scope[]}
      error={isMissing ? t.keys.noScopes : undefined}
      {...props}
    >
      {(scope) => names[scope]}
    </Checks>
  );
}
