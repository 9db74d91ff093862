import RequestQueue from "kafkajs/src/network/requestQueue/index.js";

const { scheduleCheckPendingRequests } = RequestQueue.prototype;

/**
 * Keeps kafkajs from setting a timer for a moment long past after each answer: there is nothing to look at then, and
 * Node 24 prints a TimeoutNegativeWarning for it.
 */
export function quietTimers(): void {
  RequestQueue.prototype.scheduleCheckPendingRequests = function (this: RequestQueue): void {
    if (this.pending.length > 0 || this.throttledUntil > Date.now()) scheduleCheckPendingRequests.call(this);
  };
}
