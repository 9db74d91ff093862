import type { z } from "zod";
import type { field } from "#libs/contract/fields.ts";

/** A creative field as the management surface shows it. */
export type Field = z.output<typeof field>;
