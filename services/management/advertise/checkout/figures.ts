import { fillDays, statsWindow } from "#libs/domain/stats-window.ts";
import { StatsStoreError } from "#libs/stats-store/index.ts";
import type { Services } from "../../services.ts";
import { type Figures, WINDOWS } from "./status-page.ts";
import type { SubmittedAd } from "./visit.ts";

const USUAL_WINDOW = 30;

/** What was counted for an ad, over the days that were asked for; null for one that was never on air. */
export async function figuresOf(
  { stats, now, logger }: Services,
  ad: SubmittedAd,
  asked: unknown,
): Promise<Figures | null> {
  if (ad.serving_since === null) return null;
  const days = WINDOWS.find((window) => String(window) === asked) ?? USUAL_WINDOW;
  const window = statsWindow(days, now());
  try {
    const counts = await stats.dailyOfAd(ad.workspace_id, ad.id, window);
    return { days, counts: fillDays(window, counts) };
  } catch (error) {
    if (!(error instanceof StatsStoreError)) throw error;
    logger.warn({ err: error }, "figures of an ad could not be read");
    return { days, counts: null };
  }
}
