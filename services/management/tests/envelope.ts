import { z } from "zod";
import { conflictProblems } from "#libs/contract/errors.ts";

/** Every error answer, whatever it is about; unknown keys fail. */
export const envelope = z.strictObject({
  defined: z.boolean(),
  code: z.string().min(1),
  status: z.int().min(400).max(599),
  message: z.string().min(1),
  data: conflictProblems.strict().optional(),
});
