import { readFileSync } from "node:fs";
import { collectDefaultMetrics, Gauge, type Registry } from "prom-client";
import { z } from "zod";

const PACKAGE = new URL("../../package.json", import.meta.url);

/**
 * Registers what Prometheus's clients tell of a process (`process_…`, `nodejs_…`: memory, event loop lag, garbage collection, open
 * files), with the service's name as a label, and `placard_build_info`. Once a registry.
 */
export function measureProcess(registry: Registry, service: string): void {
  collectDefaultMetrics({ register: registry, labels: { service } });
  const { version } = z.object({ version: z.string() }).parse(JSON.parse(readFileSync(PACKAGE, "utf8")));
  new Gauge({
    name: "placard_build_info",
    help: "Always 1; the labels name the release and the version of Node",
    labelNames: ["service", "version", "node"],
    aggregator: "first",
    registers: [registry],
  }).set({ service, version, node: process.versions.node }, 1);
}
