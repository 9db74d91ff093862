import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { ClusterConnection, createClient } from "./connection.ts";
import { Partitioner } from "./partitioner.ts";

/** A process stays with a partition for this long at least. */
const STAYS_MS = 4_000;
/** And not for as long as this. */
const LONGER_MS = 10_000;

describe("the partitions that batches go to", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["performance"] });
  });
  afterEach(() => void vi.useRealTimers());

  it("stay the same for a while, so that ingestion finds few large ranges, and take turns", () => {
    const partitioner = aPartitioner(4);

    const turns = Array.from({ length: 8 }, () => {
      const chosen = new Set([partitioner.next()]);
      for (let ms = 0; ms < STAYS_MS; ms += 100) {
        vi.advanceTimersByTime(100);
        chosen.add(partitioner.next());
      }
      vi.advanceTimersByTime(LONGER_MS - STAYS_MS);
      return [...chosen];
    });

    expect(turns.map((chosen) => chosen.length)).toEqual(Array(8).fill(1));
    expect(turns.slice(0, 4).flat().sort()).toEqual([0, 1, 2, 3]);
    expect(turns.slice(4)).toEqual(turns.slice(0, 4));
  });

  it("change at once when one has failed, and none is chosen that failed a moment ago", () => {
    const partitioner = aPartitioner(3);
    const first = partitioner.next();
    // Also the one whose turn it would be.
    const second = (first + 1) % 3;
    partitioner.avoid(first);
    partitioner.avoid(second);

    const third = Array.from({ length: 10 }, () => partitioner.next());

    expect(new Set([first, second, ...third]).size).toBe(3);
    expect(new Set(third).size).toBe(1);
  });

  it("are chosen all the same when all have failed", () => {
    const partitioner = aPartitioner(2);
    partitioner.avoid(0);
    partitioner.avoid(1);

    expect([0, 1]).toContain(partitioner.next());
  });
});

/** It never connects. */
function aPartitioner(partitions: number): Partitioner {
  const client = createClient({ brokers: ["127.0.0.1:1"] });
  const partitioner = new Partitioner(new ClusterConnection(client, []), "topic", partitions);
  onTestFinished(() => partitioner.close());
  return partitioner;
}
