// The columns of the files that the service writes, in the order that they have there.
import { useTexts } from "../../format/texts.ts";
import { type Column, choiceCell, phoneCell } from "./excel.ts";

/** The columns of the recipients of a message or a campaign. */
export function useRecipientColumns(): Column[] {
  const { t, format } = useTexts();
  return [
    { title: t.phonebook.number, cell: phoneCell },
    { title: t.messages.status, cell: choiceCell(t.recipientStatuses) },
    { title: t.message.reason, cell: choiceCell(t.reasons) },
    { title: t.messages.cost },
    { title: t.form.currency, cell: format.unit },
    { title: t.message.updated, cell: format.stamp },
  ];
}

export function useEntryColumns(): Column[] {
  const { t, format } = useTexts();
  return [
    { title: t.message.uid },
    { title: t.wallet.type, cell: choiceCell(t.entries) },
    { title: t.wallet.amount },
    { title: t.wallet.balance },
    { title: t.wallet.reservedAfter },
    { title: t.form.currency, cell: format.unit },
    { title: t.message.title },
    { title: t.wallet.note },
    { title: t.wallet.time, cell: format.stamp },
  ];
}

/** The attributes behind them have the titles that people gave them. */
export function useNumberColumns(): Column[] {
  const { t } = useTexts();
  return [{ title: t.phonebook.number, cell: phoneCell }, { title: t.phonebook.name }];
}
