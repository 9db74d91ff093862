import { expireCheckout } from "./checkout-life.ts";
import type { Due } from "./record-shelf.ts";
import { passInvoice, passSubscription } from "./subscription-life.ts";
import type { World } from "./world.ts";

/** Changes that are made in one go, so that a clock far ahead cannot hold the process. */
const MOST_AT_ONCE = 40;

/**
 * Does what has become due, in the order in which it did, each as of its own time: however far the clock went, the
 * outcome is the same. Says whether that was all.
 */
export function settleWhatIsDue(world: World, most = MOST_AT_ONCE): boolean {
  const until = world.now();
  if (world.state.records.nextDue(until) === undefined) return true;
  return world.write(() => {
    for (let done = 0; done < most; done++) {
      const due = world.state.records.nextDue(until);
      if (due === undefined) return true;
      world.during(due.at, () => settle(world.within(due.account), due));
    }
    return world.state.records.nextDue(until) === undefined;
  });
}

/** Each of these leaves the record due later or never, or there would be no end. */
function settle(world: World, { kind, id }: Due): void {
  const { records } = world;
  switch (kind) {
    case "checkout": {
      const checkout = records.find(kind, id);
      if (checkout?.session.status === "open") expireCheckout(world, checkout);
      else records.remove(kind, id);
      return;
    }
    case "subscription": {
      const subscription = records.find(kind, id);
      if (subscription !== undefined) passSubscription(world, subscription);
      return;
    }
    case "invoice": {
      const invoice = records.find(kind, id);
      if (invoice !== undefined) passInvoice(world, invoice);
      return;
    }
    case "reminder": {
      const subscription = records.find("subscription", id);
      records.remove(kind, id);
      if (subscription?.status === "trialing") {
        world.emit("customer.subscription.trial_will_end", subscription);
      }
      return;
    }
    case "onboarding":
    case "portal":
      records.remove(kind, id);
  }
}
