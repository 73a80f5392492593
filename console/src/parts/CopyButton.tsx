import { useState } from "react";
import { useMessages } from "../base/messages.ts";
import { Button } from "./Button.tsx";

export function CopyButton({ text }: { text: string }) {
  const t = useMessages();
  const [isCopied, setIsCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setIsCopied(true);
  };
  return (
    <>
      <Button kind="quiet" onPress={() => void copy()}>
        {t.form.copy}
      </Button>
      <span role="status">{isCopied ? t.form.copied : ""}</span>
    </>
  );
}
