import { useQuery } from "@tanstack/react-query";
import { useMay } from "../../../api/session-context.ts";
import { useOperatorTexts } from "../../../format/operator-texts.ts";
import { Loaded } from "../../../parts/Loaded.tsx";
import { Page } from "../../../parts/Page.tsx";
import { lineQuery } from "../queries.ts";
import { Actions } from "./Actions.tsx";
import { Inbound } from "./Inbound.tsx";
import { Routes } from "./Routes.tsx";
import { Settings } from "./Settings.tsx";

/** A number may have a plus, which stands in the address as `%2B`. */
export default function LinePage({ number: written }: { number: string }) {
  const { o, format } = useOperatorTexts();
  const mayChange = useMay("admin:carriers");
  const number = decodeURIComponent(written);
  const line = useQuery(lineQuery(number));
  return (
    <Page
      title={o.line.title(`\u2066${format.digits(number)}\u2069`)}
      back={["/lines", o.line.back]}
      scope="admin:read"
      acts={line.data && mayChange && <Actions line={line.data} />}
    >
      <Loaded query={line}>
        {(line) => (
          <>
            <Routes line={line} />
            <Settings line={line} />
            <Inbound line={line} />
          </>
        )}
      </Loaded>
    </Page>
  );
}
