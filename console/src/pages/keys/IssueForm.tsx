import { type ReactNode, useState } from "react";
import { useMessages } from "../../base/messages.ts";
import { ChangeForm } from "../../parts/ChangeForm.tsx";
import { RadioChoice } from "../../parts/RadioChoice.tsx";
import { choicesOf } from "../../parts/Select.tsx";
import { TextField } from "../../parts/TextField.tsx";
import { ScopeChecks } from "./ScopeChecks.tsx";
import { endOf, SpanSelect } from "./SpanSelect.tsx";

type Mode = "live" | "test";
type NewKey<Scope> = { title: string; scopes: Scope[]; expiresAt?: string };

type Props<Scope extends string> = {
  /** What the name of the key is called, and what is said if it is missing. */
  named?: [label: string, missing: string];
  /** Whether the key is live or one for tests. */
  hasMode?: boolean;
  scopes: Partial<Record<Scope, string>>;
  hint?: string;
  /** What most programs need. The others are chosen on purpose. */
  usual: Scope[];
  issue: (key: NewKey<Scope>, mode: Mode) => Promise<{ key: string }>;
  onIssued: (key: string) => void;
  onClose: () => void;
  /** What else a key may have. */
  children?: (error: Error | null) => ReactNode;
};

/** A new key. The answer has the key itself: nothing of it stays in memory longer than it is shown. */
export function IssueForm<Scope extends string>({ issue, onIssued, onClose, children, ...of }: Props<Scope>) {
  const t = useMessages();
  const { named: [label, missing] = [t.keys.name, t.keys.noName], hasMode } = of;
  const [title, setTitle] = useState("");
  const [mode, setMode] = useState<Mode>("live");
  const [scopes, setScopes] = useState(of.usual);
  const [span, setSpan] = useState("never");
  const hasTitle = title.trim() !== "";
  return (
    <ChangeForm
      title={t.keys.issueTitle}
      submit={t.keys.issueSubmit}
      isWhole={hasTitle && scopes.length > 0}
      ask={() => issue({ title: title.trim(), scopes, ...endOf(span) }, mode)}
      stale={[["keys"]]}
      isSecret
      onDone={({ key }) => {
        onIssued(key);
        onClose();
      }}
      onClose={onClose}
    >
      {(isTried, error) => (
        <>
          <TextField
            label={label}
            error={isTried && !hasTitle ? missing : undefined}
            value={title}
            onChange={setTitle}
            autoFocus
          />
          {hasMode && <RadioChoice label={t.keys.mode} value={mode} onChange={setMode} choices={choicesOf(t.modes)} />}
          <ScopeChecks
            names={of.scopes}
            hint={of.hint}
            value={scopes}
            onChange={setScopes}
            isMissing={isTried && scopes.length === 0}
          />
          <SpanSelect value={span} onChange={setSpan} />
          {children?.(error)}
        </>
      )}
    </ChangeForm>
  );
}
