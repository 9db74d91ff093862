const SHORT = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/i;
const LONG = /^#[0-9a-f]{6}$/i;

/** A color as a picker takes it, `#rrggbb`; null for what is none. */
export function pickable(text: string): string | null {
  const trimmed = text.trim().toLowerCase();
  if (LONG.test(trimmed)) return trimmed;
  return SHORT.test(trimmed) ? trimmed.replace(SHORT, "#$1$1$2$2$3$3") : null;
}

/** Puts a picker beside each color's text, which stays what is sent: a picker cannot be empty. */
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
