import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { startInstallation } from "../../services/standalone/tests/installation.ts";
import { aPublisherWithAds, publisherAt, readTotals } from "../../services/standalone/tests/publisher.ts";
import { aVisitor, report, viewAds } from "../../services/standalone/tests/visitor.ts";
import { Disk, whyNoPowerCuts } from "../faults/power/disk.ts";

const BYTES = 500 * 2 ** 20;
const COUNTED_WITHIN = { timeout: 30_000, interval: 200 };

/** Writes until the disk takes no byte more. */
function fill(file: string): void {
  const handle = openSync(file, "a");
  for (const size of [2 ** 20, 4_096, 1]) {
    try {
      for (;;) writeSync(handle, Buffer.alloc(size, 1));
    } catch (error) {
      if (!(error instanceof Error && error.message.includes("ENOSPC"))) throw error;
    }
  }
  closeSync(handle);
}

it.skipIf(whyNoPowerCuts() !== null)(
  "starts again on a full disk after everything was killed, as often as that happens, and counts once there is room",
  async () => {
    const below = mkdtempSync(join(tmpdir(), "full-disk-"));
    const disk = Disk.make(below, BYTES);
    onTestFinished(async () => {
      await disk.remove();
      rmSync(below, { recursive: true, force: true });
    });
    const dataDir = join(disk.folder, "data");
    const filler = join(disk.folder, "filler");
    let installation = await startInstallation({ dataDir });
    const { publisher, adIds } = await aPublisherWithAds(installation.url, 1);
    const [adId = ""] = adIds;
    await report(installation.url, adId, "impressions", aVisitor(1));
    await vi.waitFor(
      async () => expect(await readTotals(publisher, adId)).toMatchObject({ impressions: 1 }),
      COUNTED_WITHIN,
    );

    for (let kills = 0; kills < 3; kills += 1) {
      fill(filler);
      await installation.killTree();
      fill(filler);
      installation = await startInstallation({ dataDir });
      expect(await viewAds(installation.url, publisher.workspace.id)).toEqual([adId]);
      expect(installation.stderr + installation.stdout).toContain("is full: this start uses the reserve");
    }
    rmSync(filler);
    await vi.waitFor(
      async () => expect(await report(installation.url, adId, "impressions", aVisitor(2))).toBe(true),
      COUNTED_WITHIN,
    );
    const reader = publisherAt(installation.url, publisher);
    await vi.waitFor(
      async () => expect(await readTotals(reader, adId)).toMatchObject({ impressions: 2 }),
      COUNTED_WITHIN,
    );
    await installation.stop();
  },
  240_000,
);
