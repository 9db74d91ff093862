import { notifications } from "@mantine/notifications";
import { notifyDone } from "../shell/notify.ts";

/** Puts a text into the clipboard and says so; where the browser does not allow that, shows the text to copy by hand. */
export async function copyText(text: string, done: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    notifyDone(done);
  } catch {
    notifications.show({ title: "Copy this by hand", message: text, color: "yellow", autoClose: false });
  }
}
