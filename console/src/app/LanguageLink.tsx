import { Button } from "../parts/Button.tsx";
import { useMessages } from "./messages.ts";
import { changeSettings, useSettings } from "./settings.ts";

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
