/** The links that choose a billing period choose the price of every tier, without leaving the page. */
export function followPeriods(root: ParentNode): void {
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

/** A tier that has no price in the period keeps its own. */
function choosePrices(root: ParentNode, period: string): void {
  for (const form of root.querySelectorAll("form")) {
    const radios = [...form.querySelectorAll<HTMLInputElement>("input[data-period]")];
    const chosen = radios.find(({ dataset }) => dataset.period === period);
    if (chosen !== undefined) chosen.checked = true;
  }
}
