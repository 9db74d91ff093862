import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, it } from "vitest";
import { newId } from "#libs/domain/ids.ts";
import { openLocalEventLog } from "#libs/event-log/index.ts";
import { aFolder } from "#libs/testing/temporary-folder.ts";
import { FIREFOX, readEvents } from "./serving-rig.ts";

const SENDERS = 40;
const ACKNOWLEDGED_BEFORE_KILL = 1_500;

it("loses no acknowledged event when the process is killed", async () => {
  const file = join(await aFolder(), "events.db");
  // The caller never learns an event's id, so each sender has an ad of its own and counts what it was promised.
  const adIds = Array.from({ length: SENDERS }, () => newId("ad"));
  const server = spawn(
    process.execPath,
    [join(import.meta.dirname, "acknowledging-process.ts"), file, ...adIds],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  const exited = once(server, "exit");
  const sent = new Map(adIds.map((id) => [id, 0]));
  const promised = new Map(adIds.map((id) => [id, 0]));
  let total = 0;

  /** Sends one event after another until the server is gone. */
  async function sendUntilKilled(origin: string, adId: string): Promise<void> {
    for (;;) {
      try {
        sent.set(adId, (sent.get(adId) ?? 0) + 1);
        const response = await fetch(`${origin}/v1/ads/${adId}/impressions`, {
          method: "POST",
          headers: { "user-agent": FIREFOX },
        });
        if ((await response.text()) !== '{"success":true}') continue;
      } catch {
        return;
      }
      promised.set(adId, (promised.get(adId) ?? 0) + 1);
      total += 1;
      if (total === ACKNOWLEDGED_BEFORE_KILL) server.kill("SIGKILL");
    }
  }

  try {
    const [origin] = await once(createInterface(server.stdout), "line");
    await Promise.all(adIds.map((adId) => sendUntilKilled(String(origin), adId)));
    await exited;
    const log = await openLocalEventLog({ file });
    const events = await readEvents(log);
    await log.close();

    expect(total).toBeGreaterThanOrEqual(ACKNOWLEDGED_BEFORE_KILL);
    expect(new Set(events.map(({ event_id }) => event_id)).size).toBe(events.length);
    const stored = Map.groupBy(events, ({ ad_id }) => String(ad_id));
    for (const adId of adIds) {
      const count = stored.get(adId)?.length ?? 0;
      expect(count).toBeGreaterThanOrEqual(promised.get(adId) ?? 0);
      expect(count).toBeLessThanOrEqual(sent.get(adId) ?? 0);
    }
  } finally {
    server.kill("SIGKILL");
    await exited;
  }
});
