import { expireCheckout } from "./checkouts.ts";
import type { Engine } from "./engine.ts";
import type { Due } from "./store.ts";
import { advanceInvoice, advanceSubscription } from "./subscriptions.ts";

/** Changes per transaction, so that a clock far ahead cannot block the process. */
const MOST_AT_ONCE = 40;

/**
 * Processes what is due in order, each change as of its own time: the outcome doesn't depend on how far the clock moved
 * at once. Returns whether that was all.
 */
export function processDue(engine: Engine): boolean {
  const until = engine.now();
  const { store } = engine.state;
  if (store.nextDue(until) === undefined) return true;
  return engine.write(() => {
    for (let done = 0; done < MOST_AT_ONCE; done++) {
      const due = store.nextDue(until);
      if (due === undefined) return true;
      engine.at(due.at, () => process(engine.forAccount(due.account), due));
    }
    return store.nextDue(until) === undefined;
  });
}

/** Leaves the record due later or never; otherwise this would not end. */
function process(engine: Engine, { kind, id }: Due): void {
  const { records } = engine;
  switch (kind) {
    case "checkout": {
      const checkout = records.get(kind, id);
      if (checkout.session.status === "open") expireCheckout(engine, checkout);
      else records.remove(kind, id);
      return;
    }
    case "subscription":
      advanceSubscription(engine, records.get(kind, id));
      return;
    case "invoice":
      advanceInvoice(engine, records.get(kind, id));
      return;
    case "reminder": {
      const subscription = records.find("subscription", id);
      records.remove(kind, id);
      if (subscription?.status === "trialing") {
        engine.emit("customer.subscription.trial_will_end", subscription);
      }
      return;
    }
    case "onboarding":
    case "portal":
      records.remove(kind, id);
  }
}
