import { prepareProcess } from "#libs/process/prepare.ts";

await prepareProcess();
const { readLocalLog } = await import("#libs/event-log/index.ts");
const { StartError } = await import("#libs/process/index.ts");
const { runOnStores } = await import("./run-command.ts");
const { parseRepair } = await import("./days.ts");
const { repair } = await import("./repair.ts");
await runOnStores({
  parse: parseRepair,
  run: ({ stats, folder, logFile, isRunning, eventRetentionDays }, order, say) => {
    if (isRunning && folder !== null) throw new StartError("The product runs on this folder. Stop it first.");
    if (isRunning && !order.isIngestionStopped) {
      throw new StartError("Stop every ingestion process first, then add --ingestion-is-stopped.");
    }
    // The next start repeats that insert, which adds to daily what is missing there. After a repair nothing would be missing.
    if (logFile !== null && (readLocalLog(logFile)?.intent ?? null) !== null) {
      throw new StartError(
        "The product ended while it was inserting events, and completes that at its next start: start it, stop it, and repair then.",
      );
    }
    return repair(stats, eventRetentionDays, order, Date.now(), say);
  },
});
