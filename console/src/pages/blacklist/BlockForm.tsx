import { client, dataOf } from "../../api/client.ts";
import { useTexts } from "../../format/texts.ts";
import { NumbersForm } from "../compose/NumbersForm.tsx";

export function BlockForm({ onClose }: { onClose: () => void }) {
  const { t, format } = useTexts();
  return (
    <NumbersForm
      title={t.blacklist.addTitle}
      tooMany={t.blacklist.tooMany}
      submitOf={(count) => (count > 0 ? t.blacklist.addSubmit(format.number(count)) : t.blacklist.add)}
      ask={(numbers) => dataOf(client.POST("/blacklist", { body: { numbers } }))}
      stale={[["blacklist"]]}
      done={({ added, unchanged }) => t.blacklist.added(format.number(added), format.number(unchanged))}
      close={t.blacklist.close}
      onClose={onClose}
    >
      {() => <p className="hint">{t.blacklist.addText}</p>}
    </NumbersForm>
  );
}
