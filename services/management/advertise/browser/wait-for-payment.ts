/** In milliseconds. */
const PAUSES = { first: 1_500, longest: 15_000, growth: 1.4 };
/** After so long somebody who still looks on has to ask for it. */
const WAIT_MS = 15 * 60_000;

/** How long to wait before the next look, the first one being 0. */
export function pauseBefore(look: number): number {
  return Math.min(PAUSES.longest, Math.round(PAUSES.first * PAUSES.growth ** look));
}

/** Asks whether a checkout is paid, more and more seldom and only while the page is seen; then shows what comes next. */
export function awaitPayment(root: ParentNode): void {
  const place = root.querySelector<HTMLElement>("[data-awaits]");
  const address = place?.dataset.awaits;
  if (place === null || address === undefined) return;
  const deadline = Date.now() + WAIT_MS;

  const look = async (count: number): Promise<void> => {
    if (document.visibilityState === "hidden") {
      document.addEventListener("visibilitychange", () => void look(count), { once: true });
      return;
    }
    if (await hasEnded(address)) {
      location.replace(location.pathname);
      return;
    }
    if (Date.now() < deadline) setTimeout(() => void look(count + 1), pauseBefore(count + 1));
  };
  setTimeout(() => void look(0), pauseBefore(0));
}

/** Whether it is paid or expired; what cannot be asked now is asked again. */
async function hasEnded(address: string): Promise<boolean> {
  try {
    const response = await fetch(address, { headers: { accept: "application/json" } });
    if (!response.ok) return false;
    const answer: unknown = await response.json();
    return typeof answer === "object" && answer !== null && "status" in answer && answer.status !== "open";
  } catch {
    return false;
  }
}
