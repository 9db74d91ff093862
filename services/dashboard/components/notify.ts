import { notifications } from "@mantine/notifications";
import { messageOf } from "../api/problems.ts";

const DISMISS = { "aria-label": "Dismiss" };

/** Shows a success message: "Ad approved". */
export function notifyDone(text: string): void {
  notifications.show({ message: text, color: "teal", autoClose: 4000, closeButtonProps: DISMISS });
}

/** Shows an error, for longer. */
export function notifyProblem(error: unknown): void {
  notifications.show({
    message: messageOf(error),
    color: "red",
    autoClose: 10_000,
    closeButtonProps: DISMISS,
  });
}
