// The texts of operators' pages. Nothing that a customer loads imports this.
import { en, type OperatorMessages } from "../../messages/operator/en.ts";
import { fa } from "../../messages/operator/fa.ts";
import { type Language, useSettings } from "./settings.ts";

const all: Record<Language, OperatorMessages> = { en, fa };

/** The texts of operators' pages in the person's language. Words that customers see too are in the common texts. */
export const useOperatorMessages = (): OperatorMessages => all[useSettings().language];
