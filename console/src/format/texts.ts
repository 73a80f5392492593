import { useMessages } from "../base/messages.ts";
import { useFormat } from "./format.ts";

/** What a page is written with: the texts in the person's language, and numbers and times as the person reads them. */
export const useTexts = () => ({ t: useMessages(), format: useFormat() });
