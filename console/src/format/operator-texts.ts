import { useOperatorMessages } from "../base/operator-messages.ts";
import { useTexts } from "./texts.ts";

/** The same with the texts of operators' pages. Nothing that a customer loads imports this. */
export const useOperatorTexts = () => ({ ...useTexts(), o: useOperatorMessages() });
