import type { Services } from "../services.ts";
import { tellOnSale } from "../tiers/on-sale.ts";
import type { Findings } from "./findings.ts";
import { listTiersToTell } from "./queries.ts";

/** The rest waits for the next comparison. */
const MOST_TIERS = 500;

/** Archives at the processor what is archived here, and brings back what is on sale again. */
export async function compareOnSale(services: Services, findings: Findings): Promise<void> {
  for (const { workspace_id: workspaceId, id: tierId } of await listTiersToTell(services.db, MOST_TIERS)) {
    await findings.attempt(tierId, async () => {
      if (await tellOnSale(services, { workspaceId, tierId })) findings.addRepair("tier", tierId);
    });
  }
}
