import { z } from "zod";

/** Shapes that several settings share. Each error reads after the setting's name: `PORT: must be a whole number`. */
export const text = z.string();

export const flag = z
  .enum(["true", "false"], 'must be "true" or "false"')
  .transform((given) => given === "true");

const wholeNumber = z.coerce.number("must be a whole number").int("must be a whole number");

/** A whole number from `least`. */
export function atLeast(least: number) {
  return wholeNumber.min(least, `must be ${least} or more`);
}

/** A whole number from `least` to `most`. */
export function between(least: number, most: number) {
  const range = `must be between ${least} and ${most}`;
  return wholeNumber.min(least, range).max(most, range);
}

/** A port to listen on. */
export const portNumber = z.coerce
  .number("must be a port number")
  .int("must be a port number")
  .min(1, "must be between 1 and 65535")
  .max(65535, "must be between 1 and 65535");

/** Days up to ten years. A longer time is likely mistyped, and ClickHouse, whose dates end in 2149, would wrap it into the past. */
export function days(least: number) {
  return between(least, 3650);
}

export const httpUrl = z
  .string()
  .refine((given) => /^https?:\/\//.test(given) && URL.canParse(given), "must be an http or https address");

/** An address without a path. */
export const origin = httpUrl.refine((given) => {
  const url = URL.parse(given);
  return url === null || url.href === `${url.origin}/`;
}, "must be an origin, without a path");
