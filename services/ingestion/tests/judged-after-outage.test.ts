import { expect, it } from "vitest";
import { encodeLoggedEvent } from "#libs/domain/logged-event.ts";
import { createMemoryJudge } from "#libs/judge/index.ts";
import { StatsStoreError } from "#libs/stats-store/errors.ts";
import type { RowRange } from "#libs/stats-store/port.ts";
import { ingestPartition } from "../exactly-once.ts";
import { A_LOGGED_EVENT, SILENT } from "./events.ts";
import { MemoryPartition } from "./memory-partition.ts";
import { MemoryStore } from "./memory-store.ts";

const LIMITS = { maxWaitMs: 0, lingerMs: 0, maxBytes: 1e6, maxEvents: 1, firstPauseMs: 0 };
/** The first range that is inserted waits for it until the end of an outage. */
class StoreAfterOutage extends MemoryStore {
  #endOutage: (() => void) | undefined;

  constructor(endOutage: () => void) {
    super();
    this.#endOutage = endOutage;
  }

  override insertRange(range: RowRange): Promise<void> {
    const end = this.#endOutage;
    this.#endOutage = undefined;
    if (end === undefined) return super.insertRange(range);
    end();
    return Promise.reject(new StatsStoreError("UNAVAILABLE", "away"));
  }
}

it("counts a visitor once who was there when an outage longer than marks live began", async () => {
  let now = 0;
  const judge = createMemoryJudge({ now: () => now });
  const store = new StoreAfterOutage(() => {
    now += 600_000;
  });
  const partition = new MemoryPartition();
  const start = Date.now();
  for (const [n, after] of [0, 3_000, 6_000, 60_000, 63_000].entries()) {
    const line = encodeLoggedEvent({ ...A_LOGGED_EVENT, id: `evt_${n}`, occurredAt: start + after });
    partition.batches.push({ rows: Buffer.from(line), count: 1, appendedAt: start + after });
  }

  await ingestPartition(partition, store, judge, LIMITS, SILENT);

  const verdicts = store.lines.map((line) => JSON.parse(line)[4]);
  expect(verdicts).toEqual(["valid", "duplicate", "duplicate", "valid", "duplicate"]);
});
