import { type ReactNode, useState } from "react";
import { Button } from "./Button.tsx";

type Props = {
  title: string;
  /** What the button says that opens the form. Not there for who may not change anything. */
  change: string | false;
  form: (close: () => void) => ReactNode;
  /** What is set, in the place of the form. */
  children: ReactNode;
};

/** Some settings, and the form that changes them. */
export function Changeable({ title, change, form, children }: Props) {
  const [isChanging, setIsChanging] = useState(false);
  return (
    <section className="card stack">
      <div className="heading">
        <h2>{title}</h2>
        {change && !isChanging && (
          <Button kind="quiet" onPress={() => setIsChanging(true)}>
            {change}
          </Button>
        )}
      </div>
      {isChanging ? form(() => setIsChanging(false)) : children}
    </section>
  );
}
