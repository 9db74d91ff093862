/** Keeps forms from being sent twice by a second click; coming back to the page lets them be sent again. */
export function sendFormsOnce(root: ParentNode): void {
  const sent = new Set<HTMLFormElement>();
  for (const form of root.querySelectorAll<HTMLFormElement>("form[data-once]")) {
    form.addEventListener("submit", (event) => {
      if (sent.has(form)) event.preventDefault();
      sent.add(form);
      form.setAttribute("aria-busy", "true");
    });
  }
  addEventListener("pageshow", () => {
    for (const form of sent) form.removeAttribute("aria-busy");
    sent.clear();
  });
}
