import { type ReactNode, useState } from "react";
import type { ChangeOptions } from "../../../api/change.ts";
import { Button } from "../../../parts/Button.tsx";
import { Confirm } from "../../../parts/ConfirmDialog.tsx";

const changes = {
  pause: { paused: true },
  resume: { paused: false },
  deactivate: { active: false },
  activate: { active: true },
};

type Switch = keyof typeof changes;

type Props<Answer> = {
  of: { paused: boolean; active: boolean };
  nameOf: (to: Switch) => string;
  titleOf: (to: Switch) => string;
  change: (body: { paused?: boolean; active?: boolean }) => ChangeOptions<Answer>;
  /** What a switch does, and to how many. */
  children: (to: Switch) => ReactNode;
};

/** Stops a line or a carrier, or lets it go on. What that does is said before. */
export function Switches<Answer>({ of, nameOf, titleOf, change, children }: Props<Answer>) {
  const [asked, setAsked] = useState<Switch | null>(null);
  const ways: Switch[] = [of.paused ? "resume" : "pause", of.active ? "deactivate" : "activate"];
  return (
    <>
      {ways.map((to) => (
        <Button key={to} kind="quiet" onPress={() => setAsked(to)}>
          {nameOf(to)}
        </Button>
      ))}
      {asked && (
        <Confirm
          title={titleOf(asked)}
          submit={nameOf(asked)}
          kind={asked === "pause" || asked === "deactivate" ? "danger" : "main"}
          {...change(changes[asked])}
          onClose={() => setAsked(null)}
        >
          {children(asked)}
        </Confirm>
      )}
    </>
  );
}
