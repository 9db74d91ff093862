import { useBlocker } from "@tanstack/react-router";
import { useConfirm } from "../shell/confirm.tsx";

/** Asks before another page, or another site, takes the place of a form with unsaved changes. */
export function useLeaveGuard(isDirty: boolean): void {
  const confirm = useConfirm();
  useBlocker({
    disabled: !isDirty,
    enableBeforeUnload: () => isDirty,
    shouldBlockFn: async () =>
      !(await confirm({
        title: "Discard your changes?",
        text: "What you entered has not been saved.",
        action: "Discard changes",
        isDangerous: true,
      })),
  });
}
