import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { pageQuery } from "../../api/queries.ts";
import { useMay, useSession } from "../../api/session-context.ts";
import { useMessages } from "../../base/messages.ts";
import { useRoute } from "../../base/router.ts";
import { Button } from "../../parts/Button.tsx";
import { Empty } from "../../parts/Empty.tsx";
import { Heading } from "../../parts/Heading.tsx";
import { Listing } from "../../parts/Listing.tsx";
import { NeedsScope } from "../../parts/NeedsScope.tsx";
import { CreateForm } from "./CreateForm.tsx";
import { PhonebookTable } from "./PhonebookTable.tsx";

export default function Phonebooks() {
  const t = useMessages();
  const mayUse = useMay("phonebook");
  const isLive = useSession().mode === "live";
  const [isMaking, setIsMaking] = useState(false);
  return (
    <>
      <Heading title={t.phonebooks.title}>
        {mayUse && isLive && !isMaking && <Button onPress={() => setIsMaking(true)}>{t.phonebooks.create}</Button>}
      </Heading>
      <p className="faint">{isLive ? t.phonebooks.lead : t.phonebooks.testLead}</p>
      <NeedsScope scope="phonebook">
        {isMaking && <CreateForm onClose={() => setIsMaking(false)} />}
        <List />
      </NeedsScope>
    </>
  );
}

function List() {
  const t = useMessages();
  const { query } = useRoute();
  return (
    <Listing
      query={useQuery(pageQuery(["phonebooks", "list"], "/phonebook", { query: { cursor: query.get("cursor") } }))}
      empty={
        <Empty title={t.phonebooks.none}>
          <p>{t.phonebooks.noneText}</p>
        </Empty>
      }
      isEmptyWhole
    >
      {(data) => <PhonebookTable phonebooks={data} />}
    </Listing>
  );
}
