import { QueryClientProvider } from "@tanstack/react-query";
import { I18nProvider } from "react-aria-components/I18nProvider";
import { useSettings } from "../base/settings.ts";
import { localeOf } from "../format/format.ts";
import { queryClient } from "./query-client.ts";
import { SessionGate } from "./SessionGate.tsx";

export function App() {
  const { language, calendar } = useSettings();
  return (
    <QueryClientProvider client={queryClient}>
      <I18nProvider locale={localeOf(language, calendar)}>
        <SessionGate />
      </I18nProvider>
    </QueryClientProvider>
  );
}
