import type { z } from "zod";
import type { FormObject } from "./form-encoding.ts";
import { readParameters } from "./parameters.ts";
import type { World } from "./world.ts";

/** One call of Stripe's API. A write runs inside a transaction; what it throws undoes it. */
export interface Endpoint {
  readonly method: "GET" | "POST" | "DELETE";
  /** With `:id` where the object's id stands. */
  readonly path: string;
  /** Reads the parameters, which may throw, and gives what is then to be done. */
  prepare(given: FormObject): (world: World, id: string) => object;
}

/** Declares a call by its parameters and what it does with them. */
export function endpoint<T>(
  method: Endpoint["method"],
  path: string,
  schema: z.ZodType<T>,
  handle: (world: World, params: T, id: string) => object,
): Endpoint {
  return {
    method,
    path,
    prepare: (given) => {
      const params = readParameters(schema, given);
      return (world, id) => handle(world, params, id);
    },
  };
}
