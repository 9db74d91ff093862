import { z } from "zod";

/** What several settings are made of. Each error reads after the setting's name: `PORT must be a port number`. */
export const text = z.string();

export const flag = z
  .enum(["true", "false"], 'must be "true" or "false"')
  .transform((given) => given === "true");

/** Narrow it by `min` and `max`. */
export const wholeNumber = z.coerce.number("must be a whole number").int("must be a whole number");

export const count = wholeNumber.min(0, "must be 0 or more");

/** A port to listen on. */
export const portNumber = z.coerce
  .number("must be a port number")
  .int("must be a port number")
  .min(1, "must be between 1 and 65535")
  .max(65535, "must be between 1 and 65535");

/**
 * A lifetime in days, ten years at most: a longer one is likely mistyped, and ClickHouse, whose dates end in 2149, would wrap its
 * end to a day in the past.
 */
export function days(least: number) {
  const range = `must be between ${least} and 3650`;
  return wholeNumber.min(least, range).max(3650, range);
}

export const httpUrl = z
  .string()
  .refine((given) => /^https?:\/\//.test(given) && URL.canParse(given), "must be an http or https address");

/** An address without a path. */
export const origin = httpUrl.refine((given) => {
  const url = URL.parse(given);
  return url === null || url.href === `${url.origin}/`;
}, "must be an origin, without a path");
