import { answer, client, type Schemas } from "../../api/client.ts";
import { useMessages } from "../../base/messages.ts";
import { useTexts } from "../../format/texts.ts";
import { Button } from "../../parts/Button.tsx";
import { Code } from "../../parts/Code.tsx";
import { Confirm } from "../../parts/ConfirmDialog.tsx";
import { DialogButton } from "../../parts/DialogButton.tsx";
import { directionOf } from "../../parts/direction.ts";
import { type Column, Table } from "../../parts/Table.tsx";
import { activeOf, VersionBadge } from "./PatternBadge.tsx";

type Props = {
  pattern: Schemas["Pattern"];
  version: Schemas["PatternVersion"];
  /** Not there for who may not change patterns. */
  onReuse: (() => void) | undefined;
};

export function VersionCard({ pattern, version, onReuse }: Props) {
  const { t, format } = useTexts();
  const number = format.number(version.version);
  return (
    <section className="card stack" aria-label={t.patterns.version(number)}>
      <div className="heading">
        <h3>
          {t.patterns.version(number)} <VersionBadge status={version.status} />
        </h3>
        <span className="faint">{format.moment(version.createdAt)}</span>
      </div>
      <p className="hint">{t.patterns.meaning[version.status]}</p>
      {version.reason && (
        <p className="note" dir={directionOf(version.reason)}>
          {version.reason}
        </p>
      )}
      <p className="message-text" dir={directionOf(version.text)}>
        {version.text}
      </p>
      {version.variables.length > 0 && <Variables of={version} />}
      {onReuse && <Acts pattern={pattern} version={version} onReuse={onReuse} />}
    </section>
  );
}

function Acts({ pattern, version, onReuse }: Props & { onReuse: () => void }) {
  const t = useMessages();
  const { status } = version;
  return (
    <div className="actions">
      <Button kind="link" onPress={onReuse}>
        {t.patterns.reuse}
      </Button>
      {status === "ACTIVE" && (
        <DialogButton
          text={t.patterns.deactivate}
          dialog={(close) => <DeactivateDialog pattern={pattern} onClose={close} />}
        />
      )}
      {(status === "DRAFT" || status === "RETIRED") && (
        <DialogButton
          kind="main"
          text={t.patterns.activate}
          dialog={(close) => <ActivateDialog pattern={pattern} version={version} onClose={close} />}
        />
      )}
    </div>
  );
}

function Variables({ of }: { of: Schemas["PatternVersion"] }) {
  const { t, format } = useTexts();
  const columns: Column<Schemas["Variable"]>[] = [
    { title: t.patterns.variable, isTitle: true, cell: ({ name }) => <Code className="uid">{`%${name}%`}</Code> },
    { title: t.patterns.type, cell: ({ type }) => t.variableTypes[type] },
    {
      title: t.patterns.takes,
      isWide: true,
      cell: ({ values, maxLength }) => (values ? values.join(t.form.comma) : t.patterns.upTo(format.number(maxLength))),
    },
    { title: t.patterns.kept, cell: ({ secret }) => (secret ? t.patterns.isSecret : t.patterns.isKept) },
  ];
  return <Table caption={t.patterns.variables} columns={columns} rows={of.variables} idOf={({ name }) => name} />;
}

type ActivateDialogProps = { pattern: Schemas["Pattern"]; version: Schemas["PatternVersion"]; onClose: () => void };

function ActivateDialog({ pattern, version, onClose }: ActivateDialogProps) {
  const { t, format } = useTexts();
  const active = activeOf(pattern);
  const number = format.number(version.version);
  return (
    <Confirm
      title={t.patterns.activateTitle(number)}
      submit={t.patterns.activateSubmit(number)}
      ask={() =>
        answer(
          client.POST("/pattern/{slug}/versions/{n}/activate", {
            params: { path: { slug: pattern.slug, n: version.version } },
          }),
        )
      }
      stale={[["patterns"]]}
      onClose={onClose}
    >
      <p>{active ? t.patterns.activateInPlace(format.number(active.version)) : t.patterns.activateText}</p>
      <p className="message-text" dir={directionOf(version.text)}>
        {version.text}
      </p>
    </Confirm>
  );
}

function DeactivateDialog({ pattern, onClose }: { pattern: Schemas["Pattern"]; onClose: () => void }) {
  const t = useMessages();
  return (
    <Confirm
      title={t.patterns.deactivateTitle(pattern.title)}
      submit={t.patterns.deactivate}
      kind="danger"
      ask={() => answer(client.POST("/pattern/{slug}/deactivate", { params: { path: { slug: pattern.slug } } }))}
      stale={[["patterns"]]}
      onClose={onClose}
    >
      <p>{t.patterns.deactivateText(pattern.slug)}</p>
    </Confirm>
  );
}
