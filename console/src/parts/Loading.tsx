import { useMessages } from "../app/messages.ts";

export function Loading() {
  return (
    <p className="loading" role="status">
      {useMessages().state.loading}
    </p>
  );
}
