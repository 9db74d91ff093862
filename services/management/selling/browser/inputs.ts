import { countCharacters } from "#libs/domain/storable-text.ts";

/** The count appears once this part of the limit is used. */
const SHOWN_FROM = 0.8;

/** The count of a text's characters against its limit, `54/60`; empty while there is plenty of room. */
export function characterCount(text: string, limit: number): string {
  const count = countCharacters(text.trim());
  if (count > limit) return `${count}/${limit} – ${count - limit} over the limit`;
  return count < limit * SHOWN_FROM ? "" : `${count}/${limit}`;
}

/** Shows below each text how many characters are used, once the limit is near. */
export function showCounts(form: HTMLFormElement): void {
  for (const control of form.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>("[data-most]")) {
    const limit = Number(control.dataset.most);
    const count = document.createElement("p");
    count.className = "hint";
    count.setAttribute("role", "status");
    control.after(count);
    const update = () => {
      count.textContent = characterCount(control.value, limit);
    };
    control.addEventListener("input", update);
    update();
  }
}

const SHORT = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/i;
const LONG = /^#[0-9a-f]{6}$/i;

/** A color as a color input takes it, `#rrggbb`; null for anything else. */
export function pickable(text: string): string | null {
  const trimmed = text.trim().toLowerCase();
  if (LONG.test(trimmed)) return trimmed;
  return SHORT.test(trimmed) ? trimmed.replace(SHORT, "#$1$1$2$2$3$3") : null;
}

/** Adds a picker beside each color's text. The text is what is submitted, because a picker cannot be empty. */
export function addColorPickers(form: HTMLFormElement): void {
  for (const box of form.querySelectorAll<HTMLElement>("[data-color]")) {
    const text = box.querySelector("input");
    if (text === null) continue;
    const picker = document.createElement("input");
    picker.type = "color";
    picker.setAttribute("aria-label", `Pick: ${text.labels?.[0]?.textContent ?? ""}`);
    picker.addEventListener("input", () => {
      text.value = picker.value;
      text.dispatchEvent(new Event("input", { bubbles: true }));
    });
    const follow = () => {
      picker.value = pickable(text.value) ?? "#000000";
    };
    text.addEventListener("input", follow);
    follow();
    box.append(picker);
  }
}
