import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { Button } from "../../../parts/Button.tsx";
import { faultUnder } from "../../../parts/faults.ts";
import { Select } from "../../../parts/Select.tsx";
import { TextField } from "../../../parts/TextField.tsx";
import { inOrder, newRoute, newShare, type RouteDraft, type ShareDraft } from "./route-drafts.ts";

type Props = {
  drafts: RouteDraft[];
  carriers: string[];
  error: Error | null;
  onChange: (drafts: RouteDraft[]) => void;
};

export function RouteEditor({ drafts, carriers, error, onChange }: Props) {
  const o = useOperatorMessages();
  const replace = (changed: RouteDraft) => onChange(drafts.map((draft) => (draft.id === changed.id ? changed : draft)));
  const remove = (removed: RouteDraft) => onChange(drafts.filter(({ id }) => id !== removed.id));
  return (
    <div className="route-editor">
      {drafts.map((draft, index) => (
        <RouteFields
          key={draft.id}
          draft={draft}
          fault={faultUnder(error, `/routes/${index}/prefixes`)}
          carriers={carriers}
          onChange={replace}
          onRemove={() => remove(draft)}
        />
      ))}
      <Button kind="quiet" onPress={() => onChange(inOrder([...drafts, newRoute(carriers[0] ?? "")]))}>
        {o.routes.add}
      </Button>
    </div>
  );
}

type FieldsProps = {
  draft: RouteDraft;
  /** What is wrong with its prefixes. */
  fault: string | undefined;
  carriers: string[];
  onChange: (draft: RouteDraft) => void;
  onRemove: () => void;
};

function RouteFields({ draft, fault, carriers, onChange, onRemove }: FieldsProps) {
  const o = useOperatorMessages();
  const taken = [...draft.carriers, ...draft.backup].map(({ name }) => name);
  const free = carriers.find((name) => !taken.includes(name));
  return (
    <fieldset>
      <legend>{draft.isRest ? o.routes.rest : draft.prefixes || o.routes.newRoute}</legend>
      {!draft.isRest && (
        <TextField
          label={o.routes.prefixes}
          hint={o.routes.prefixesHint}
          error={fault}
          isCode
          value={draft.prefixes}
          onChange={(prefixes) => onChange({ ...draft, prefixes })}
        />
      )}
      <ShareFields
        title={o.routes.carriers}
        add={o.routes.addCarrier}
        least={1}
        shares={draft.carriers}
        free={free}
        carriers={carriers}
        onChange={(shares) => onChange({ ...draft, carriers: shares })}
      />
      <ShareFields
        title={o.routes.backup}
        add={o.routes.addBackup}
        least={0}
        shares={draft.backup}
        free={free}
        carriers={carriers}
        onChange={(shares) => onChange({ ...draft, backup: shares })}
      />
      {!draft.isRest && (
        <Button kind="link" className="bad" onPress={onRemove}>
          {o.routes.remove}
        </Button>
      )}
    </fieldset>
  );
}

type ShareProps = {
  title: string;
  add: string;
  /** A route has one carrier at least. */
  least: number;
  shares: ShareDraft[];
  /** A carrier that the route does not have yet. */
  free: string | undefined;
  carriers: string[];
  onChange: (shares: ShareDraft[]) => void;
};

function ShareFields({ title, add, least, shares, free, carriers, onChange }: ShareProps) {
  const o = useOperatorMessages();
  const change = (id: number, part: Partial<ShareDraft>) =>
    onChange(shares.map((share) => (share.id === id ? { ...share, ...part } : share)));
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset inside of a fieldset has a border and a legend of its own.
    <div role="group" aria-label={title} className="share-fields">
      <h4>{title}</h4>
      {shares.map(({ id, name, weight }) => (
        <div key={id} className="share-row">
          <Select
            label={o.routes.carrier}
            value={name}
            choices={carriers.map((carrier) => ({ id: carrier, text: carrier }))}
            onChange={(chosen) => change(id, { name: chosen })}
          />
          <TextField
            label={o.routes.weight}
            isCode
            inputMode="numeric"
            value={weight}
            onChange={(text) => change(id, { weight: text })}
          />
          {shares.length > least && (
            <Button
              kind="quiet"
              aria-label={o.routes.removeCarrier(name)}
              onPress={() => onChange(shares.filter((share) => share.id !== id))}
            >
              {o.routes.removeShort}
            </Button>
          )}
        </div>
      ))}
      {free !== undefined && (
        <Button kind="link" onPress={() => onChange([...shares, newShare(free)])}>
          {add}
        </Button>
      )}
    </div>
  );
}
