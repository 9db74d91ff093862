import { isDeepStrictEqual } from "node:util";
import type { z } from "zod";

/** Parses an answer; throws as well when the shape does not name all there is in it, however deep. */
export function parseStrictly<T>(shape: z.ZodType<T>, answer: unknown): T {
  const parsed = shape.parse(answer);
  // Zod leaves out what the shape does not name, so what is named is all there is exactly when nothing went missing.
  if (!isDeepStrictEqual(parsed, answer)) {
    throw new Error(`the answer has more than its shape: ${JSON.stringify(answer)}`);
  }
  return parsed;
}
