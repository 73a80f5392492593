import { OperatorNavigation } from "./OperatorNavigation.tsx";
import { operatorPageOf } from "./operator-pages.ts";
import { Shell } from "./Shell.tsx";

/** What is around the pages of operators. It is loaded for operators only, with their texts. */
export default function OperatorShell({ who }: { who: string }) {
  return <Shell pageOf={operatorPageOf} Navigation={OperatorNavigation} who={who} />;
}
