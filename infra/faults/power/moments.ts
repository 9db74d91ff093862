import { setTimeout as wait } from "node:timers/promises";
import type { Random } from "../random.ts";
import type { Rig } from "./rig.ts";

/** A time of the product's life at which its power is cut. The product does not run before, and has to afterwards. */
export interface Moment {
  readonly name: string;
  /** Resolves in the very moment of the cut. */
  lead(rig: Rig, random: Random): Promise<void>;
}

/** One of each, in the order in which a run goes through them again and again. */
export const MOMENTS: readonly [Moment, ...Moment[]] = [
  {
    name: "first start",
    async lead(rig, random) {
      await rig.replaceDisk();
      rig.product.launch();
      await wait(random.between(0, 9_000));
    },
  },
  {
    name: "load",
    async lead(rig, random) {
      await rig.product.start();
      await rig.load(random.between(1_500, 6_000));
    },
  },
  {
    name: "merges",
    async lead(rig, random) {
      await rig.product.start();
      await rig.load(random.between(9_000, 15_000));
    },
  },
  {
    name: "clean stop",
    async lead(rig, random) {
      await rig.product.start();
      await rig.load(3_000);
      rig.product.beginToStop();
      await wait(random.between(0, 2_500));
    },
  },
  {
    name: "restart",
    async lead(rig, random) {
      await rig.product.start();
      await rig.load(2_000);
      await rig.product.stop();
      rig.product.launch();
      await wait(random.between(0, 6_000));
    },
  },
  {
    name: "upgrade",
    async lead(rig, random) {
      await rig.product.start();
      await rig.load(2_000);
      await rig.product.stop();
      await rig.makeTablesOlder();
      rig.product.launch();
      await wait(random.between(1_000, 8_000));
    },
  },
];
