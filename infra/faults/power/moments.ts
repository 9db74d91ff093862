import { setTimeout as wait } from "node:timers/promises";
import type { Random } from "../random.ts";
import type { Rig } from "./rig.ts";

/** A moment at which the power is cut. The product does not run before `lead`, and must be able to start after the cut. */
export interface Moment {
  readonly name: string;
  /** Brings the product to the moment; resolves when the power is to be cut. */
  lead(rig: Rig, random: Random): Promise<void>;
}

/** A run repeats these in order. */
export const MOMENTS: readonly [Moment, ...Moment[]] = [
  {
    name: "first start",
    async lead(rig, random) {
      await rig.replaceDisk();
      await launchFor(rig, random.between(0, 9_000));
    },
  },
  {
    name: "load",
    async lead(rig, random) {
      await startUnderLoad(rig, random.between(1_500, 6_000));
    },
  },
  {
    name: "merges",
    async lead(rig, random) {
      await startUnderLoad(rig, random.between(9_000, 15_000));
    },
  },
  {
    name: "clean stop",
    async lead(rig, random) {
      await startUnderLoad(rig, 3_000);
      rig.product.beginToStop();
      await wait(random.between(0, 2_500));
    },
  },
  {
    name: "restart",
    async lead(rig, random) {
      await startUnderLoad(rig, 2_000);
      await rig.product.stop();
      await launchFor(rig, random.between(0, 6_000));
    },
  },
  {
    name: "upgrade",
    async lead(rig, random) {
      await startUnderLoad(rig, 2_000);
      await rig.product.stop();
      await rig.makeTablesOlder();
      await launchFor(rig, random.between(1_000, 8_000));
    },
  },
];

/** Starts the product and sends events for the given milliseconds; it still runs when this resolves. */
async function startUnderLoad(rig: Rig, milliseconds: number): Promise<void> {
  await rig.product.start();
  await rig.load(milliseconds);
}

/** Begins to start the product and resolves after the given milliseconds, however far it has come. */
async function launchFor(rig: Rig, milliseconds: number): Promise<void> {
  rig.product.launch();
  await wait(milliseconds);
}
