// Not too much at a time
export { BoundedQueue, type BoundedQueueOptions } from "./bounded-queue.ts";
// Time
export { TimeoutError, within } from "./deadline.ts";
export { FairPlaces, type FairPlacesRefusals } from "./fair-places.ts";
export { FairTurns } from "./fair-turns.ts";
export { inPieces, inRounds } from "./pieces.ts";
export { QueuesByKey } from "./queues-by-key.ts";
export { RecentUse } from "./recent-use.ts";
export {
  Backoff,
  type BackoffLimits,
  backoffMs,
  type KeepRunningOptions,
  keepRunning,
  pause,
  type RetryOptions,
  retry,
} from "./retry.ts";
// A process
export { createShutdown, type Shutdown } from "./shutdown.ts";
// One call at a time
export { SingleFlight } from "./single-flight.ts";
export { createThrottledWarning, type ThrottledWarning, type Warn } from "./throttled-warning.ts";
export { createTurns } from "./turns.ts";
