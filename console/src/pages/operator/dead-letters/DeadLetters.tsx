import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { answer, client, type Schemas } from "../../../api/client.ts";
import { useMay } from "../../../api/session-context.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { useRoute } from "../../../base/router.ts";
import { useFormat } from "../../../format/format.ts";
import { useOperatorTexts } from "../../../format/operator-texts.ts";
import { ConfirmDialog } from "../../../parts/ConfirmDialog.tsx";
import { Empty } from "../../../parts/Empty.tsx";
import { Filters, useFilters } from "../../../parts/Filters.tsx";
import { Listing } from "../../../parts/Listing.tsx";
import { Page } from "../../../parts/Page.tsx";
import { choicesOf, FilterSelect } from "../../../parts/Select.tsx";
import { deadLettersQuery } from "../queries.ts";
import { AccountFilter } from "../shared/AccountFilter.tsx";
import { DeadLetterTable } from "./DeadLetterTable.tsx";

type DeadLetter = Schemas["DeadLetter"];

export default function DeadLetters() {
  const o = useOperatorMessages();
  return (
    <Page title={o.pages.deadLetters} lead={o.deadLetters.lead} scope="admin:read">
      <LetterFilters />
      <Found />
    </Page>
  );
}

const useLetterFilters = () => useFilters(["account", "kind"]);

function LetterFilters() {
  const o = useOperatorMessages();
  const { at, clear } = useLetterFilters();
  return (
    <Filters onClear={clear}>
      <FilterSelect label={o.deadLetters.kind} choices={choicesOf(o.deadLetterKinds)} {...at("kind")} />
      <AccountFilter label={o.accountField.filter} {...at("account")} />
    </Filters>
  );
}

function Found() {
  const o = useOperatorMessages();
  const mayRetry = useMay("admin:carriers");
  const { query } = useRoute();
  const { filters, isFiltered } = useLetterFilters();
  const format = useFormat();
  const [asked, setAsked] = useState<DeadLetter | null>(null);
  const [retried, setRetried] = useState<DeadLetter | null>(null);
  const list = useQuery({
    ...deadLettersQuery({ ...filters, cursor: query.get("cursor") }),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <p role="status" className="good said">
        {retried && o.deadLetters.retried(format.number(retried.recipients))}
      </p>
      <Listing
        query={list}
        empty={
          <Empty
            title={isFiltered ? o.deadLetters.noneFound : o.deadLetters.none}
            text={!isFiltered && o.deadLetters.noneText}
          />
        }
      >
        {(letters) => <DeadLetterTable letters={letters} onRetry={mayRetry ? setAsked : undefined} />}
      </Listing>
      {asked && <RetryDialog letter={asked} onRetried={setRetried} onClose={() => setAsked(null)} />}
    </>
  );
}

type Props = { letter: DeadLetter; onRetried: (letter: DeadLetter) => void; onClose: () => void };

function RetryDialog({ letter, onRetried, onClose }: Props) {
  const { o, format } = useOperatorTexts();
  const queryClient = useQueryClient();
  const retry = useMutation({
    mutationFn: () => answer(client.POST("/admin/dead-letters/{id}/retry", { params: { path: { id: letter.id } } })),
    onSuccess: () => {
      onRetried(letter);
      onClose();
    },
    // A chunk that has moved meanwhile leaves the list too.
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["dead-letters"] }),
  });
  const people = format.number(letter.recipients);
  return (
    <ConfirmDialog
      title={o.deadLetters.retryTitle}
      submit={o.deadLetters.retrySubmit(people)}
      change={retry}
      onSubmit={() => retry.mutate()}
      onClose={onClose}
    >
      <p>{o.deadLetters.retryText(people, letter.carrier ? `\u2068${letter.carrier}\u2069` : "–")}</p>
      <p>{o.deadLetters.retryHint}</p>
    </ConfirmDialog>
  );
}
