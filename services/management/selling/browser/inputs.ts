import { countCharacters } from "#libs/domain/storable-text.ts";

/** From this part of the limit on the count is read out as it changes. */
const SAID_FROM = 0.8;

/** The count of a text's characters against its limit, `54/60`. */
export function characterCount(text: string, limit: number): string {
  const count = countCharacters(text.trim());
  return count > limit ? `${count}/${limit} – ${count - limit} over the limit` : `${count}/${limit}`;
}

/** Shows below each text how many characters are used. */
export function showCounts(form: HTMLFormElement): void {
  for (const control of form.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>("[data-most]")) {
    const limit = Number(control.dataset.most);
    const count = document.createElement("p");
    count.className = "hint count";
    control.after(count);
    const update = () => {
      const used = countCharacters(control.value.trim()) / limit;
      count.setAttribute("aria-live", used < SAID_FROM ? "off" : "polite");
      count.classList.toggle("error", used > 1);
      count.textContent = characterCount(control.value, limit);
    };
    control.addEventListener("input", update);
    update();
  }
}

/** Takes a control's errors away as soon as it is changed: whether it is right now, the next submission says. */
export function forgetErrors(form: HTMLFormElement): void {
  form.addEventListener("input", ({ target }) => {
    const field = target instanceof Element ? target.closest(".field") : null;
    const control = field?.querySelector<HTMLElement>("[aria-invalid]") ?? null;
    if (field === null || control === null) return;
    control.removeAttribute("aria-invalid");
    const ids = control.getAttribute("aria-describedby")?.split(" ") ?? [];
    control.setAttribute("aria-describedby", ids.filter((id) => !id.endsWith("-error")).join(" "));
    field.querySelector(`[id="${control.id}-error"]`)?.remove();
    const summary = form.querySelector("[data-problems]");
    summary
      ?.querySelector(`a[href="#${CSS.escape(control.id)}"]`)
      ?.closest("li")
      ?.remove();
    if (summary?.querySelector("li") === null) summary.remove();
  });
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
