import { countCharacters } from "#libs/domain/storable-text.ts";

/** From this part of the room on it is told how much is left. */
const TELL_FROM = 0.8;

/** What is said of a text that may have so many characters; empty while there is room enough. */
export function roomLeft(text: string, most: number): string {
  const count = countCharacters(text.trim());
  if (count > most) return `${count - most} too many of ${most} characters.`;
  return count < most * TELL_FROM ? "" : `${most - count} of ${most} characters left.`;
}

/** Tells below each text how much room is left, once it is little. */
export function showCounts(form: HTMLFormElement): void {
  for (const control of form.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>("[data-most]")) {
    const most = Number(control.dataset.most);
    const count = document.createElement("p");
    count.className = "hint";
    count.setAttribute("role", "status");
    control.after(count);
    const update = () => {
      count.textContent = roomLeft(control.value, most);
    };
    control.addEventListener("input", update);
    update();
  }
}
