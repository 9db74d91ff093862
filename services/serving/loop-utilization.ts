import { performance } from "node:perf_hooks";

/** Shorter stretches say more of chance than of load. */
const STRETCH_MS = 100;

/** Milliseconds since the loop began. */
interface Spent {
  readonly active: number;
  readonly idle: number;
}

/**
 * Makes the function that tells in which share of the time the event loop was busy of late, from 0 to 1; 1 until enough is
 * known. `spent` is Node's own account of the thread's loop:
 * https://nodejs.org/api/perf_hooks.html#performanceeventlooputilizationutilization1-utilization2
 */
export function createLoopUtilization(
  spent: () => Spent = () => performance.eventLoopUtilization(),
): () => number {
  let last = spent();
  let utilization = 1;
  return () => {
    const now = spent();
    const active = now.active - last.active;
    const all = active + now.idle - last.idle;
    if (all < STRETCH_MS) return utilization;
    last = now;
    utilization = active / all;
    return utilization;
  };
}
