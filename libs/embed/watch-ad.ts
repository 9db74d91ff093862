import { whenInView } from "./in-view.ts";

export interface Reports {
  seen(): void;
  clicked(): void;
}

/** Watches an ad on the page until the returned function is called. */
export function watchAd(element: Element, { seen, clicked }: Reports): () => void {
  const onClick = (event: Event) => {
    const isMain = event.type === "click" || (event instanceof MouseEvent && event.button === 1);
    const isOnLink = event.target instanceof Element && event.target.closest("a[href]") !== null;
    if (isMain && isOnLink) clicked();
  };
  const stop = whenInView(element, seen);
  element.addEventListener("click", onClick);
  element.addEventListener("auxclick", onClick);
  return () => {
    stop();
    element.removeEventListener("click", onClick);
    element.removeEventListener("auxclick", onClick);
  };
}
