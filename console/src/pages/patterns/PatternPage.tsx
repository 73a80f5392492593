import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { answer, client, type Schemas } from "../../api/client.ts";
import { useSession } from "../../api/session-context.ts";
import { useMessages } from "../../base/messages.ts";
import { goTo, useRoute } from "../../base/router.ts";
import { useTexts } from "../../format/texts.ts";
import { Button } from "../../parts/Button.tsx";
import { Code } from "../../parts/Code.tsx";
import { Confirm } from "../../parts/ConfirmDialog.tsx";
import { DialogButton } from "../../parts/DialogButton.tsx";
import { Empty } from "../../parts/Empty.tsx";
import { Facts } from "../../parts/Facts.tsx";
import { Loaded } from "../../parts/Loaded.tsx";
import { Page } from "../../parts/Page.tsx";
import { patternQuery } from "../queries.ts";
import { ChangePattern } from "./ChangePattern.tsx";
import { NewVersion } from "./NewVersion.tsx";
import { activeOf, newestOf, PatternBadges } from "./PatternBadge.tsx";
import { VersionCard } from "./VersionCard.tsx";

export default function PatternPage({ slug }: { slug: string }) {
  const t = useMessages();
  const pattern = useQuery(patternQuery(slug));
  return (
    <Page title={pattern.data?.title ?? t.patterns.one} back={["/patterns", t.patterns.back]} scope="pattern">
      <Loaded query={pattern}>{(pattern) => <Whole pattern={pattern} />}</Loaded>
    </Page>
  );
}

function Whole({ pattern }: { pattern: Schemas["Pattern"] }) {
  const t = useMessages();
  const mayChange = useSession().mode === "live";
  const [isChanging, setIsChanging] = useState(false);
  const { path, query } = useRoute();
  const versions = pattern.versions.toSorted((a, b) => b.version - a.version);
  // The form of a new version stands in the address, so that it is there after a reload.
  const from = query.get("from");
  const write = (version: Schemas["PatternVersion"] | undefined) => goTo(path, { from: String(version?.version ?? 0) });
  return (
    <>
      {!mayChange && <p className="note">{t.patterns.testKey}</p>}
      <About pattern={pattern}>
        {mayChange && (
          <Acts pattern={pattern} onChange={() => setIsChanging(true)} onWrite={() => write(newestOf(pattern))} />
        )}
      </About>
      {isChanging && <ChangePattern pattern={pattern} onClose={() => setIsChanging(false)} />}
      {mayChange && from !== null && (
        <NewVersion
          key={from}
          slug={pattern.slug}
          from={versions.find(({ version }) => String(version) === from)}
          onClose={() => goTo(path)}
        />
      )}
      <h2>{t.patterns.versions}</h2>
      {versions.length === 0 && <Empty title={t.patterns.noVersions} />}
      {versions.map((version) => (
        <VersionCard
          key={version.version}
          pattern={pattern}
          version={version}
          onReuse={mayChange ? () => write(version) : undefined}
        />
      ))}
    </>
  );
}

type ActsProps = { pattern: Schemas["Pattern"]; onChange: () => void; onWrite: () => void };

function Acts({ pattern, onChange, onWrite }: ActsProps) {
  const t = useMessages();
  const isActive = activeOf(pattern) !== undefined;
  return (
    <div className="actions">
      {isActive ? (
        <span className="hint">{t.patterns.deactivateFirst}</span>
      ) : (
        <DialogButton
          kind="link"
          isBad
          text={t.patterns.delete}
          dialog={(close) => <DeleteDialog pattern={pattern} onClose={close} />}
        />
      )}
      <Button kind="quiet" onPress={onChange}>
        {t.patterns.change}
      </Button>
      <Button onPress={onWrite}>{t.patterns.newVersion}</Button>
    </div>
  );
}

function About({ pattern, children }: { pattern: Schemas["Pattern"]; children: React.ReactNode }) {
  const { t, format } = useTexts();
  const lines = pattern.lines.map(format.digits).join(", ");
  return (
    <section className="card stack">
      <Facts
        facts={[
          [t.patterns.state, <PatternBadges key="state" of={pattern} />],
          [
            t.patterns.slug,
            <Code key="slug" className="uid">
              {pattern.slug}
            </Code>,
          ],
          [t.patterns.lines, lines ? <Code key="lines">{lines}</Code> : t.patterns.allLines],
          [t.patterns.made, format.moment(pattern.createdAt)],
        ]}
      />
      {children}
    </section>
  );
}

function DeleteDialog({ pattern, onClose }: { pattern: Schemas["Pattern"]; onClose: () => void }) {
  const { t, format } = useTexts();
  return (
    <Confirm
      title={t.patterns.deleteTitle(pattern.title)}
      submit={t.patterns.deleteSubmit}
      kind="danger"
      ask={() => answer(client.DELETE("/pattern/{slug}", { params: { path: { slug: pattern.slug } } }))}
      deletes={patternQuery(pattern.slug)}
      onClose={onClose}
    >
      <p>{t.patterns.deleteText(format.number(pattern.versions.length), pattern.slug)}</p>
    </Confirm>
  );
}
