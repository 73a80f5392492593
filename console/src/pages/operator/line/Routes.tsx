import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Schemas } from "../../../api/client.ts";
import { useMay } from "../../../api/session-context.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { useOperatorTexts } from "../../../format/operator-texts.ts";
import { Button } from "../../../parts/Button.tsx";
import { ChangeForm } from "../../../parts/ChangeForm.tsx";
import { Loaded } from "../../../parts/Loaded.tsx";
import { YesNo } from "../../../parts/YesNo.tsx";
import { carriersQuery, lineChange } from "../queries.ts";
import { RouteEditor } from "./RouteEditor.tsx";
import { RoutePicture } from "./RoutePicture.tsx";
import { RouteTable } from "./RouteTable.tsx";
import { draftsOf, isMixed, type RouteDraft, routesOf } from "./route-drafts.ts";

type Line = Schemas["Line"];

/** The routes of a line, drawn and in words. While they are changed, the picture shows the draft. */
export function Routes({ line }: { line: Line }) {
  const o = useOperatorMessages();
  const carriers = useQuery(carriersQuery(null));
  const mayChange = useMay("admin:carriers");
  const [drafts, setDrafts] = useState<RouteDraft[] | null>(null);
  return (
    <section className="card stack">
      <div className="heading">
        <h2>{o.routes.title}</h2>
        {mayChange && drafts === null && (
          <Button kind="quiet" onPress={() => setDrafts(draftsOf(line.routes))}>
            {o.routes.change}
          </Button>
        )}
      </div>
      <Loaded query={carriers}>
        {(carriers) => (
          <>
            <Shown
              line={line}
              routes={drafts ? routesOf(drafts) : routesOf(draftsOf(line.routes))}
              carriers={carriers}
            />
            {drafts && <Change line={line} drafts={drafts} carriers={carriers} onChange={setDrafts} />}
          </>
        )}
      </Loaded>
    </section>
  );
}

function Shown({ line, routes, carriers }: { line: Line; routes: Line["routes"]; carriers: Schemas["Carrier"][] }) {
  const o = useOperatorMessages();
  const states = new Map(carriers.map(({ name, health }) => [name, health.state]));
  return (
    <>
      <RoutePicture number={line.number} routes={routes} states={states} />
      <details>
        <summary>{o.routes.asTable}</summary>
        <RouteTable routes={routes} states={states} />
      </details>
    </>
  );
}

type ChangeProps = {
  line: Line;
  drafts: RouteDraft[];
  carriers: Schemas["Carrier"][];
  onChange: (drafts: RouteDraft[] | null) => void;
};

function Change({ line, drafts, carriers, onChange }: ChangeProps) {
  const { o, format } = useOperatorTexts();
  const [allowSandbox, setAllowSandbox] = useState(false);
  const routes = routesOf(drafts);
  const sandboxes = new Set(carriers.filter(({ kind }) => kind === "sandbox").map(({ name }) => name));
  const mixed = isMixed(routes, sandboxes);
  return (
    <ChangeForm
      submit={o.routes.save}
      {...lineChange(line.number, { routes, ...(mixed && allowSandbox && { allowSandbox }) })}
      onClose={() => onChange(null)}
    >
      {(_, error) => (
        <>
          <p className="hint">{o.routes.rule}</p>
          <RouteEditor drafts={drafts} carriers={carriers.map(({ name }) => name)} error={error} onChange={onChange} />
          {mixed && (
            <YesNo
              label={o.routes.allowSandbox}
              hint={o.routes.allowSandboxHint}
              value={allowSandbox}
              onChange={setAllowSandbox}
            />
          )}
          <p className="note">{o.routes.effect(format.number(line.waiting.recipients))}</p>
        </>
      )}
    </ChangeForm>
  );
}
