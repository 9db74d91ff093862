import { z } from "zod";

/** The first message of the parent to the server process, over a channel that no other process can read. */
export const ordersSchema = z.object({
  dataDir: z.string().min(1),
  /** 0 lets the system choose. */
  port: z.int().min(0).max(65_535),
  username: z.string().min(1),
  password: z.string().min(16),
});
export type Orders = z.infer<typeof ordersSchema>;

/** The only answer of the server process. After `failed` it exits. */
export const reportSchema = z.discriminatedUnion("state", [
  z.object({
    state: z.literal("listening"),
    port: z.int(),
    /** Inserts that a crash had cut short between the token and the rows; repeating them inserts them. */
    forgotten: z.int(),
  }),
  z.object({ state: z.literal("failed"), reason: z.string() }),
]);
export type Report = z.infer<typeof reportSchema>;
