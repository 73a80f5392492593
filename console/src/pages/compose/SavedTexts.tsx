import { useState } from "react";
import { client, dataOf } from "../../api/client.ts";
import { useMay, useSession } from "../../api/session-context.ts";
import { useMessages } from "../../base/messages.ts";
import { Confirm } from "../../parts/ConfirmDialog.tsx";
import { DialogButton } from "../../parts/DialogButton.tsx";
import { TextField } from "../../parts/TextField.tsx";
import { withText } from "./saved-texts.ts";
import { UseSavedText } from "./UseSavedText.tsx";

type Props = {
  text: string;
  /** Whether each number gets a text of its own. */
  isPersonal: boolean;
  onChange: (text: string) => void;
};

/** Puts a kept text into the box, and keeps the one that is there. Kept texts are patterns. */
export function SavedTexts({ text, isPersonal, onChange }: Props) {
  const t = useMessages();
  const isLive = useSession().mode === "live";
  const [saved, setSaved] = useState("");
  if (!useMay("pattern")) return null;
  return (
    <div className="row-acts">
      <DialogButton
        kind="link"
        text={t.saved.use}
        dialog={(close) => (
          <UseSavedText isPersonal={isPersonal} onUse={(saved) => onChange(withText(text, saved))} onClose={close} />
        )}
      />
      {isLive && text.trim() !== "" && (
        <DialogButton
          kind="link"
          text={t.saved.save}
          dialog={(close) => <SaveDialog text={text} onSaved={() => setSaved(text)} onClose={close} />}
        />
      )}
      <span role="status" className="good">
        {saved !== "" && saved === text && t.saved.done}
      </span>
    </div>
  );
}

type SaveProps = { text: string; onSaved: () => void; onClose: () => void };

/** Makes a pattern of the text. It is not activated: nobody has to approve a text that is only kept. */
function SaveDialog({ text, onSaved, onClose }: SaveProps) {
  const t = useMessages();
  const [title, setTitle] = useState("");
  const hasTitle = title.trim() !== "";
  return (
    <Confirm
      title={t.saved.save}
      submit={t.saved.saveSubmit}
      isForm
      isWhole={hasTitle}
      ask={() => dataOf(client.POST("/pattern", { body: { title: title.trim(), text } }))}
      stale={[["patterns"]]}
      onDone={() => {
        onSaved();
        onClose();
      }}
      onClose={onClose}
    >
      {(isTried) => (
        <TextField
          label={t.saved.name}
          hint={t.saved.nameHint}
          error={isTried && !hasTitle ? t.patterns.noName : undefined}
          value={title}
          onChange={setTitle}
          maxLength={200}
          autoFocus
        />
      )}
    </Confirm>
  );
}
