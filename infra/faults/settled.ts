import type { Installation } from "./installation.ts";
import { readMetric } from "./services.ts";
import { until } from "./until.ts";

const SETTLED_WITHIN_MS = 60_000;

/** Resolves when nothing is on its way any more, so that whatever would be counted twice has been. */
export async function settled({ ingestion, serving }: Installation): Promise<void> {
  await until(SETTLED_WITHIN_MS, "still had something on its way", async () => {
    const lags = await Promise.all(
      ingestion.map((one) => readMetric(one, "placard_event_log_waiting_events")),
    );
    const spilled = await Promise.all(serving.map((one) => readMetric(one, "placard_spill_bytes")));
    return [...lags, ...spilled].every((value) => value === 0);
  });
}
