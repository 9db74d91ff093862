import { z } from "zod";

/** What the parent tells the server process first, over the channel between them, where no other process can look. */
export const ordersSchema = z.object({
  dataDir: z.string().min(1),
  /** 0 lets the system choose. */
  port: z.int().min(0).max(65_535),
  username: z.string().min(1),
  password: z.string().min(16),
});
export type Orders = z.infer<typeof ordersSchema>;

/** What the server process answers, once. After `failed` it exits. */
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
