import { z } from "zod";

/** Every error answer, whatever it is about; unknown keys fail. A 409 and a 422 say what is wrong, and no other does. */
export const envelope = z
  .strictObject({
    defined: z.boolean(),
    code: z.string().min(1),
    status: z.int().min(400).max(599),
    message: z.string().min(1),
    data: z.strictObject({
      formErrors: z.array(z.string()).optional(),
      fieldErrors: z.record(z.string(), z.array(z.string())).optional(),
      reason: z
        .string()
        .regex(/^[A-Z][A-Z_]+$/)
        .optional(),
      version: z.int().min(1).optional(),
      requestId: z.string().min(1),
    }),
  })
  .refine(({ status, data: { requestId: _id, version: _version, ...refused } }) => {
    return Object.values(refused).length === (status === 409 || status === 422 ? 3 : 0);
  }, "A 409 and a 422 have formErrors, fieldErrors and a reason; no other error has them.");
