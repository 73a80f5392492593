import { useSession } from "../../api/session-context.ts";
import { useMessages } from "../../base/messages.ts";
import { changeSettings, useSettings } from "../../base/settings.ts";
import { useTexts } from "../../format/texts.ts";
import { Button } from "../../parts/Button.tsx";
import { ProblemText } from "../../parts/Failure.tsx";
import { Heading } from "../../parts/Heading.tsx";
import { RadioChoice } from "../../parts/RadioChoice.tsx";
import { choicesOf } from "../../parts/Select.tsx";
import { useSignOut } from "../../parts/sign-out.ts";
import { whoIs } from "../../parts/who.ts";
import { Accounts } from "./Accounts.tsx";
import { Passkeys } from "./passkeys/Passkeys.tsx";
import { TimeZone } from "./TimeZone.tsx";

export default function SettingsPage() {
  const t = useMessages();
  const { member } = useSession();
  const { language, calendar, theme } = useSettings();
  return (
    <>
      <Heading title={t.settings.title} />
      <section className="card stack narrow">
        <p className="faint">{t.settings.lead}</p>
        <RadioChoice
          label={t.settings.language}
          choices={choicesOf(t.settings.languages)}
          value={language}
          onChange={(language) => changeSettings({ language })}
        />
        <RadioChoice
          label={t.settings.calendar}
          choices={choicesOf(t.settings.calendars)}
          value={calendar}
          onChange={(calendar) => changeSettings({ calendar })}
        />
        <RadioChoice
          label={t.settings.theme}
          choices={choicesOf(t.settings.themes)}
          value={theme}
          onChange={(theme) => changeSettings({ theme })}
        />
      </section>
      <TimeZone />
      <SessionPart />
      {member && <Passkeys member={member} />}
      <Accounts />
    </>
  );
}

function SessionPart() {
  const { t, format } = useTexts();
  const session = useSession();
  const role = session.member?.role && t.roles[session.member.role];
  const end = useSignOut();
  return (
    <section className="card stack narrow">
      <h2>{t.settings.session}</h2>
      <p>
        {whoIs(t, session)}
        <br />
        {role && (
          <>
            {`${role.name}: ${role.may}`}
            <br />
          </>
        )}
        <span className="faint">{session.expiresAt && t.settings.until(format.moment(session.expiresAt))}</span>
      </p>
      <p className="faint">{t.settings.everywhereText}</p>
      <div className="actions">
        <Button kind="quiet" isPending={end.isPending} onPress={() => end.mutate(false)}>
          {t.settings.signOut}
        </Button>
        <Button kind="danger" isPending={end.isPending} onPress={() => end.mutate(true)}>
          {t.settings.signOutEverywhere}
        </Button>
      </div>
      {end.error && <ProblemText error={end.error} />}
    </section>
  );
}
