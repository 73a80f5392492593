import type { Change } from "../api/change.ts";
import { useMessages } from "../base/messages.ts";
import { Button } from "./Button.tsx";
import { ProblemText } from "./Failure.tsx";

type Props = {
  submit: string;
  change: Change;
  /** What has just been done, until something is typed again. */
  done?: string | undefined;
  onCancel?: (() => void) | undefined;
};

/** The end of a form: why it was refused or that it is done, and its buttons. */
export function FormActions({ submit, change: { isPending, error }, done, onCancel }: Props) {
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
            {t.form.cancel}
          </Button>
        )}
        <Button type="submit" isPending={isPending}>
          {submit}
        </Button>
      </div>
    </>
  );
}
