import { notifications } from "@mantine/notifications";
import { messageOf } from "./problems.ts";

const DISMISS = { "aria-label": "Dismiss" };

/** Says that something has been done: "Ad approved". */
export function notifyDone(text: string): void {
  notifications.show({ message: text, color: "teal", autoClose: 4000, closeButtonProps: DISMISS });
}

/** Says what failed, and stays longer. */
export function notifyProblem(error: unknown): void {
  notifications.show({
    message: messageOf(error),
    color: "red",
    autoClose: 10_000,
    closeButtonProps: DISMISS,
  });
}
