/** In milliseconds. */
const PAUSES = { first: 1_500, longest: 15_000, growth: 1.4 };
/** After this the reader has to reload by hand. */
const WAIT_MS = 15 * 60_000;

/** The pause before an attempt, the first being 0; in milliseconds. */
export function pauseBefore(attempt: number): number {
  return Math.min(PAUSES.longest, Math.round(PAUSES.first * PAUSES.growth ** attempt));
}

/** Asks whether a checkout is paid, less and less often and only while the page is visible; then reloads the page. */
export function awaitPayment(root: ParentNode): void {
  const place = root.querySelector<HTMLElement>("[data-awaits]");
  const address = place?.dataset.awaits;
  if (place === null || address === undefined) return;
  const deadline = Date.now() + WAIT_MS;

  const attempt = async (count: number): Promise<void> => {
    if (document.visibilityState === "hidden") {
      document.addEventListener("visibilitychange", () => void attempt(count), { once: true });
      return;
    }
    if (await hasEnded(address)) {
      location.replace(location.pathname);
      return;
    }
    if (Date.now() < deadline) setTimeout(() => void attempt(count + 1), pauseBefore(count + 1));
  };
  setTimeout(() => void attempt(0), pauseBefore(0));
}

/** Whether it is paid or expired; a failed request counts as no. */
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
