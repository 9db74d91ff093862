const HALF = 0.5;
const LONG_ENOUGH_MS = 1_000;

/** See `whenInView` in `types/embed.d.mts`. */
export function whenInView(element: Element, callback: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isHalfIn = false;

  const observer = new IntersectionObserver(
    (entries) => {
      const { intersectionRatio = 0, boundingClientRect } = entries.at(-1) ?? {};
      // An element without an area has a ratio of 1, so it needs a height too.
      isHalfIn = intersectionRatio >= HALF && (boundingClientRect?.height ?? 0) > 0;
      begin();
    },
    { threshold: HALF },
  );

  function begin(): void {
    clearTimeout(timer);
    if (isHalfIn && !document.hidden) timer = setTimeout(end, LONG_ENOUGH_MS);
  }

  function end(): void {
    // While the element is hidden, transparent for instance, the second begins again.
    if (!isShown(element)) begin();
    else {
      stop();
      callback();
    }
  }

  function stop(): void {
    clearTimeout(timer);
    observer.disconnect();
    document.removeEventListener("visibilitychange", begin);
  }

  observer.observe(element);
  document.addEventListener("visibilitychange", begin);
  return stop;
}

function isShown(element: Element): boolean {
  return element.checkVisibility?.({ opacityProperty: true, visibilityProperty: true }) ?? true;
}
