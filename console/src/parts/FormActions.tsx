import type { Change } from "../api/change.ts";
import { useMessages } from "../base/messages.ts";
import { Button } from "./Button.tsx";
import { ProblemText } from "./Failure.tsx";

type Props = {
  submit: string;
  change: Change;
  /** What has just been done, until something is typed again. */
  done?: string | undefined;
  /** What the button says that leaves the form; usually that it cancels. */
  cancel?: string;
  onCancel?: (() => void) | undefined;
};

/** The end of a form: why it was refused or that it is done, and its buttons. */
export function FormActions({ submit, change: { isPending, error }, done, cancel, onCancel }: Props) {
  const t = useMessages();
  return (
    <>
      {error && <ProblemText error={error} />}
      <div className="actions">
        <span role="status" className="good">
          {done}
        </span>
        {onCancel && (
          <Button kind="quiet" onPress={onCancel}>
            {cancel ?? t.form.cancel}
          </Button>
        )}
        <Button type="submit" isPending={isPending}>
          {submit}
        </Button>
      </div>
    </>
  );
}
