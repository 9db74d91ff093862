import { readFileSync } from "node:fs";
import { Registry } from "prom-client";
import { expect, it } from "vitest";
import { measureProcess } from "./process-metrics.ts";

it("tells memory, event loop lag and release of a process by the name of its service", async () => {
  const registry = new Registry();
  measureProcess(registry, "ingestion");
  const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));

  const text = await registry.metrics();

  expect(text).toMatch(/^process_resident_memory_bytes\{service="ingestion"\} [1-9]/m);
  expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds\{service="ingestion"\} \d/m);
  expect(text).toContain(
    `placard_build_info{service="ingestion",version="${version}",node="${process.versions.node}"} 1`,
  );
});
