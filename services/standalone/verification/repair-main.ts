import { prepareProcess } from "#libs/process/prepare.ts";

await prepareProcess();
const { StartError } = await import("#libs/process/index.ts");
const { runOnStores } = await import("./run-command.ts");
const { parseRepair } = await import("./days.ts");
const { repair } = await import("./repair.ts");
await runOnStores({
  parse: parseRepair,
  run: ({ stats, folder, isRunning, eventRetentionDays }, order, say) => {
    if (isRunning && folder !== null)
      throw new StartError("The product runs on this folder: stop it, and repair then.");
    if (isRunning && !order.isIngestionStopped) {
      throw new StartError("Stop every ingestion process first, and say so with --ingestion-is-stopped.");
    }
    return repair(stats, eventRetentionDays, order, Date.now(), say);
  },
});
