import { get } from "node:http";
import { expect, it, vi } from "vitest";
import { listProcesses } from "../../services/standalone/tests/process-tree.ts";
import { type SplitService, startSplitInstallation } from "./split-installation.ts";

const WAIT = { timeout: 20_000, interval: 50 };

/** Serving with several workers that all listen, and their pids. */
async function aServingOf(processes: number) {
  const installation = await startSplitInstallation();
  const serving = await installation.add("serving", {
    SERVING_PROCESSES: String(processes),
    LOG_LEVEL: "info",
  });
  const workers = () => workersOf(serving);
  await vi.waitFor(
    () => expect(serving.program.output.match(/worker listening/g)).toHaveLength(processes),
    WAIT,
  );
  return { serving, workers };
}

function workersOf({ program }: SplitService): number[] {
  return listProcesses().flatMap(({ pid, parent }) => (parent === program.pid ? [pid] : []));
}

function statusOnNewConnection(url: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent: false, timeout: 5_000 }, (response) => {
      response.resume();
      response.once("end", () => resolve(response.statusCode));
    });
    request.once("timeout", () => request.destroy(new Error(`${url} did not answer in time.`)));
    request.once("error", reject);
  });
}

async function scrape({ origin }: SplitService): Promise<string> {
  return await (await fetch(`${origin}/metrics`)).text();
}

it("replaces a killed worker, and continues to serve meanwhile", async () => {
  const { serving, workers } = await aServingOf(2);
  const [killed = 0] = workers();

  process.kill(killed, "SIGKILL");
  // Connections that a worker has when it dies die with it; nobody has to wait for those that come after.
  await vi.waitFor(() => expect(stillRunning([killed])).toEqual([]), WAIT);
  for (let asked = 0; asked < 50; asked += 1) {
    expect(await statusOnNewConnection(`${serving.origin}/readyz`)).toBe(200);
  }

  await vi.waitFor(() => {
    expect(workers()).toHaveLength(2);
    expect(workers()).not.toContain(killed);
  }, WAIT);
  expect(serving.program.output).toContain("worker ended; another replaces it");
});

it("tells the metrics of all its workers, whichever is asked", async () => {
  const { serving } = await aServingOf(2);
  const unknown = () =>
    fetch(`${serving.origin}/v1/workspaces/ws_none/ads/serving`, { headers: { connection: "close" } });
  await Promise.all(Array.from({ length: 20 }, unknown));

  const texts = [await scrape(serving), await scrape(serving)];

  for (const text of texts) {
    expect(text).toMatch(/placard_serving_answers_total\{[^}]*ads\/serving"[^}]*\} 20\n/);
    expect(text).toMatch(/\nplacard_serving_snapshots_stale 0\n/);
  }
});

it("tells what waits to be counted, and until when Kafka keeps it, though no ingestion runs", async () => {
  const { serving } = await aServingOf(2);

  await vi.waitFor(async () => {
    const text = await scrape(serving);
    expect(text).toMatch(/\nplacard_event_log_waiting_events\{partition="0"\} 0\n/);
    expect(text).toMatch(/\nplacard_event_log_oldest_age_seconds\{partition="0"\} 0\n/);
    expect(text).toMatch(/\nplacard_event_log_retention_seconds 604800\n/);
    expect(text).toMatch(/\nprocess_resident_memory_bytes\{service="serving"\} [1-9]/);
  }, WAIT);
});

it("leaves no worker behind when it is killed or stopped", async () => {
  const { serving, workers } = await aServingOf(2);
  const first = workers();
  process.kill(serving.program.pid ?? 0, "SIGKILL");
  await vi.waitFor(() => {
    expect(stillRunning(first)).toEqual([]);
    expect(serving.program.isRunning).toBe(false);
  }, WAIT);

  await serving.program.start();
  const second = workers();
  expect(await serving.program.stop()).toBe(0);
  expect(stillRunning(second)).toEqual([]);
});

function stillRunning(pids: readonly number[]): number[] {
  const now = new Set(listProcesses().map(({ pid }) => pid));
  return pids.filter((pid) => now.has(pid));
}
