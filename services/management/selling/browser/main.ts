// What the pages do beyond forms and links. Each part finds its elements by `data-…` and ignores other pages.

import { continueDraft, draftAds, forgetSubmitted } from "./draft.ts";
import { takeImages } from "./image-box.ts";
import { addColorPickers, forgetErrors, showCounts } from "./inputs.ts";
import { drawPreviews, hideBrokenImages, keepPreview } from "./preview.ts";
import { awaitPayment } from "./wait-for-payment.ts";

polyfillUrlParse();
followPeriods(document);
showChosenPrices(document);
sendFormsOnce(document);
awaitPayment(document);
hideBrokenImages(document);
drawPreviews(document);
draftAds(document);
forgetSubmitted(document);
for (const form of document.querySelectorAll<HTMLFormElement>("form[data-submission]")) {
  const takeFile = takeImages(form);
  keepPreview(form);
  showCounts(form);
  forgetErrors(form);
  addColorPickers(form);
  void continueDraft(form, takeFile);
}

/** Browsers from before mid-2024 lack `URL.parse`, which shared rules use. */
function polyfillUrlParse(): void {
  if ("parse" in URL) return;
  Object.defineProperty(URL, "parse", {
    value: (text: string, base?: string | URL) => {
      try {
        return new URL(text, base);
      } catch {
        return null;
      }
    },
  });
}

/** Keeps a second click from submitting a form twice; coming back to the page allows it again. */
function sendFormsOnce(root: ParentNode): void {
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

/** Lets the links of billing periods select the price of every tier without leaving the page. */
function followPeriods(root: ParentNode): void {
  const picker = root.querySelector<HTMLElement>("[data-periods]");
  const links = [...(picker?.querySelectorAll<HTMLAnchorElement>("a[data-period]") ?? [])];
  for (const link of links) {
    link.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      choosePrices(root, link.dataset.period ?? "");
      for (const one of links) one.toggleAttribute("aria-current", false);
      link.setAttribute("aria-current", "true");
      history.replaceState(null, "", link.href);
    });
  }
}

/** A tier without a price in the period keeps its selection. */
function choosePrices(root: ParentNode, period: string): void {
  for (const form of root.querySelectorAll("form")) {
    const radios = [...form.querySelectorAll<HTMLInputElement>("input[data-period]")];
    const chosen = radios.find(({ dataset }) => dataset.period === period);
    if (chosen === undefined) continue;
    chosen.checked = true;
    chosen.dispatchEvent(new Event("change", { bubbles: true }));
  }
}

/** Keeps the price in the line of a folded tier that of its selection. */
function showChosenPrices(root: ParentNode): void {
  for (const fold of root.querySelectorAll("details")) {
    const shown = fold.querySelector("[data-chosen]");
    if (shown === null) continue;
    fold.addEventListener("change", ({ target }) => {
      if (!(target instanceof HTMLInputElement)) return;
      shown.textContent = target.labels?.[0]?.querySelector("span")?.textContent ?? shown.textContent;
    });
  }
}
