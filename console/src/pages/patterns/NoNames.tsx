import { useMessages } from "../../base/messages.ts";
import { Button } from "../../parts/Button.tsx";
import { joined, wordsIn } from "../../parts/placeholders.ts";

/** What somebody may have meant as a placeholder and that has blanks in it, so that nothing is filled in. */
export function NoNames({ text, onChange }: { text: string; onChange: (text: string) => void }) {
  const t = useMessages();
  return wordsIn(text).map((words) => (
    <div key={words} className="note" role="status">
      <p>{t.patterns.blanks(`\u2068%${words}%\u2069`)}</p>
      <Button kind="quiet" onPress={() => onChange(joined(text, words))}>
        {t.patterns.join(`\u2068${joined(`%${words}%`, words)}\u2069`)}
      </Button>
    </div>
  ));
}
