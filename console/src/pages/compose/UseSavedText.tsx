import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useMessages } from "../../base/messages.ts";
import { useTexts } from "../../format/texts.ts";
import { Confirm } from "../../parts/ConfirmDialog.tsx";
import { directionOf } from "../../parts/direction.ts";
import { Loaded } from "../../parts/Loaded.tsx";
import { Select } from "../../parts/Select.tsx";
import { patternQuery } from "../queries.ts";
import { allPatternsQuery, type Pattern } from "./queries.ts";
import { isOnlyPersonal, savedTextOf } from "./saved-texts.ts";

type Props = { isPersonal: boolean; onUse: (text: string) => void; onClose: () => void };

/** Chooses a kept text. A list has the beginning of a long text only, so the chosen one is asked for. */
export function UseSavedText({ isPersonal, onUse, onClose }: Props) {
  const t = useMessages();
  const queryClient = useQueryClient();
  const [slug, setSlug] = useState("");
  const patterns = useQuery(allPatternsQuery);
  const textOf = (pattern: Pattern) => savedTextOf(pattern, isPersonal);
  return (
    <Confirm
      title={t.saved.use}
      submit={t.saved.useSubmit}
      isWhole={slug !== ""}
      ask={() => queryClient.fetchQuery(patternQuery(slug))}
      onDone={(pattern) => {
        onUse(textOf(pattern) ?? "");
        onClose();
      }}
      onClose={onClose}
    >
      {(isTried) => (
        <Loaded query={patterns}>
          {(patterns) => (
            <Saved
              kept={patterns.filter((pattern) => textOf(pattern) !== undefined)}
              hidden={isPersonal ? 0 : patterns.filter(isOnlyPersonal).length}
              textOf={textOf}
              slug={slug}
              isLacking={isTried && slug === ""}
              onChange={setSlug}
            />
          )}
        </Loaded>
      )}
    </Confirm>
  );
}

/** What is kept, and how much of it can't be used here. */
function Saved({ hidden, ...choice }: ChoiceProps & { hidden: number }) {
  const { t, format } = useTexts();
  const isEmpty = choice.kept.length === 0;
  return (
    <>
      {!isEmpty && <Choice {...choice} />}
      {isEmpty && hidden === 0 && <p className="note">{t.saved.none}</p>}
      {hidden > 0 && <p className="note">{t.saved.withPlaceholders(format.number(hidden))}</p>}
    </>
  );
}

type ChoiceProps = {
  kept: Pattern[];
  textOf: (pattern: Pattern) => string | undefined;
  slug: string;
  isLacking: boolean;
  onChange: (slug: string) => void;
};

function Choice({ kept, textOf, slug, isLacking, onChange }: ChoiceProps) {
  const t = useMessages();
  const chosen = kept.find((pattern) => pattern.slug === slug);
  const text = chosen && textOf(chosen);
  return (
    <>
      <Select
        label={t.saved.label}
        value={slug || "none"}
        choices={[{ id: "none", text: t.saved.choose }, ...kept.map(({ slug, title }) => ({ id: slug, text: title }))]}
        onChange={(slug) => onChange(slug === "none" ? "" : slug)}
      />
      {isLacking && <p className="bad">{t.saved.choose}</p>}
      {text && (
        <p className="message-text" dir={directionOf(text)}>
          {text}
        </p>
      )}
    </>
  );
}
