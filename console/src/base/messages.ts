import { en, type Messages } from "../../messages/en.ts";
import { fa } from "../../messages/fa.ts";
import { type Language, useSettings } from "./settings.ts";

export type { Messages };

const all: Record<Language, Messages> = { en, fa };

export const textsIn = (language: Language): Messages => all[language];

/** The texts in the person's language. */
export const useMessages = (): Messages => textsIn(useSettings().language);
