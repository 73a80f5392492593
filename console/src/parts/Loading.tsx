import { useMessages } from "../base/messages.ts";

export function Loading() {
  const t = useMessages();
  return (
    <p className="loading" role="status">
      {t.state.loading}
    </p>
  );
}
