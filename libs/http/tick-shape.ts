import { executionAsyncResource } from "node:async_hooks";

/** Never read: it only has to be reachable. */
let keptTick: object | undefined;

/**
 * Keeps one of Node's tick objects for good, so that a garbage collection finds their hidden class in use.
 *
 * Every `process.nextTick`, of which an answered request makes several, builds one from computed keys. V8 holds an
 * object's hidden class only weakly: a full collection that happens to find no tick object alive drops it, and what was
 * optimised for it goes on for the rest of the process through the runtime, property by property. On a server with
 * a heap large enough to be collected that cost a fifth of the throughput (`Runtime_DefineKeyedOwnPropertyInLiteral`
 * in a profile tells).
 */
export function keepTickShape(): void {
  if (keptTick !== undefined) return;
  process.nextTick(() => {
    keptTick = executionAsyncResource();
  });
}
