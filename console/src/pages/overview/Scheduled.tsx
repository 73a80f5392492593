import { useQuery } from "@tanstack/react-query";
import { dataQuery } from "../../api/queries.ts";
import { useMessages } from "../../base/messages.ts";
import { href } from "../../base/router.ts";
import { Loaded } from "../../parts/Loaded.tsx";
import { MessageTable } from "../messages/MessageTable.tsx";

export function Scheduled() {
  const t = useMessages();
  const scheduled = useQuery(
    dataQuery(["messages", "scheduled"], "/messages", { query: { status: "SCHEDULED", limit: 5 } }),
  );
  return (
    <section className="card">
      <h2>{t.overview.scheduled}</h2>
      <Loaded query={scheduled}>
        {(messages) =>
          messages.length === 0 ? (
            <p className="faint">{t.overview.noScheduled}</p>
          ) : (
            <>
              <MessageTable caption={t.overview.scheduled} messages={messages} />
              <p>
                <a href={href("/messages", { status: "SCHEDULED" })}>{t.overview.allScheduled}</a>
              </p>
            </>
          )
        }
      </Loaded>
    </section>
  );
}
