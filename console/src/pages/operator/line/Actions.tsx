import { answer, client, type Schemas } from "../../../api/client.ts";
import { useOperatorTexts } from "../../../format/operator-texts.ts";
import { Confirm } from "../../../parts/ConfirmDialog.tsx";
import { DialogButton } from "../../../parts/DialogButton.tsx";
import { lineChange, lineQuery } from "../queries.ts";
import { Switches } from "../shared/Switches.tsx";

/** What an operator does to a line as a whole. Each is asked once more before it is done. */
export function Actions({ line }: { line: Schemas["Line"] }) {
  const { o, format } = useOperatorTexts();
  return (
    <div className="actions">
      <Switches
        of={line}
        nameOf={(to) => o.lineSwitches[to]}
        titleOf={(to) => o.lineSwitchTitles[to](`\u2066${format.digits(line.number)}\u2069`)}
        change={(body) => lineChange(line.number, body)}
      >
        {(to) => (
          <>
            <p>{o.lineSwitchTexts[to]}</p>
            <p>{o.line.waitsNow(format.number(line.waiting.recipients))}</p>
          </>
        )}
      </Switches>
      <DialogButton text={o.line.remove} dialog={(close) => <DeleteDialog number={line.number} onClose={close} />} />
    </div>
  );
}

function DeleteDialog({ number, onClose }: { number: string; onClose: () => void }) {
  const { o, format } = useOperatorTexts();
  return (
    <Confirm
      title={o.line.removeTitle(`\u2066${format.digits(number)}\u2069`)}
      submit={o.line.remove}
      kind="danger"
      ask={() => answer(client.DELETE("/admin/lines/{number}", { params: { path: { number } } }))}
      deletes={lineQuery(number)}
      onClose={onClose}
    >
      <p>{o.line.removeText}</p>
    </Confirm>
  );
}
