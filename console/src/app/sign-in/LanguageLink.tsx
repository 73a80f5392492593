import { useMessages } from "../../base/messages.ts";
import { changeSettings, useSettings } from "../../base/settings.ts";
import { Button } from "../../parts/Button.tsx";

/** The way to the other language, in its own words, for who can't read this one. */
export function LanguageLink() {
  const t = useMessages();
  const other = useSettings().language === "fa" ? "en" : "fa";
  return (
    <Button kind="link" onPress={() => changeSettings({ language: other })}>
      <span lang={other}>{t.settings.languages[other]}</span>
    </Button>
  );
}
