import { type Kysely, sql, type Transaction } from "kysely";
import type { Logger } from "pino";
import type { Tables } from "#libs/database/tables.ts";
import { MOST_SALE_BYTES } from "#libs/domain/serving-limits.ts";
import { conflict } from "#libs/http/index.ts";
import type { ShownTier } from "./queries.ts";

/** Workspaces that one warning names. */
const MOST_NAMED = 20;
/** What a tier and a price count beside their texts. */
const BYTES_AROUND = { tier: 200, price: 110 } as const;

const TOO_LARGE = `The tiers on sale may take ${MOST_SALE_BYTES / 1024} KiB together with their prices, and would now take more. Archive some, or shorten their texts.`;

/** About the bytes of each tier on sale with its prices on sale, as pages and answers have them. */
function sizesOf(db: Kysely<Tables>) {
  return db
    .selectFrom("tiers")
    .leftJoin("prices", (join) =>
      join
        .onRef("prices.workspace_id", "=", "tiers.workspace_id")
        .onRef("prices.tier_id", "=", "tiers.id")
        .on("prices.is_active", "=", true),
    )
    .where("tiers.is_active", "=", true)
    .groupBy(["tiers.workspace_id", "tiers.id"])
    .select([
      "tiers.workspace_id",
      sql<number>`${BYTES_AROUND.tier}::int + ${BYTES_AROUND.price}::int * count(prices.id)
        + octet_length(json_build_array(tiers.name, tiers.description, tiers.features)::text)`.as("bytes"),
    ]);
}

/**
 * Throws 409 if a change adds to the tiers on sale of a workspace and they take too much together: each visitor of the offer gets
 * all of them. What was larger before there was this limit may stay and shrink. Within `changeCatalogue`.
 */
export async function requireRoomOnSale(
  trx: Transaction<Tables>,
  workspaceId: string,
  before: ShownTier | null,
  after: ShownTier,
): Promise<void> {
  if (bytesOf(after) <= (before === null ? 0 : bytesOf(before))) return;
  const sizes = await sizesOf(trx).where("tiers.workspace_id", "=", workspaceId).execute();
  const bytes = sizes.reduce((sum, size) => sum + Number(size.bytes), 0);
  if (bytes > MOST_SALE_BYTES) throw conflict("LIMIT_REACHED", { formErrors: [TOO_LARGE] });
}

/** Warns of workspaces whose tiers on sale are larger than they may be made today. They stay on sale. */
export async function warnOfLargeSales(db: Kysely<Tables>, logger: Logger): Promise<void> {
  const workspaces = await db
    .selectFrom(sizesOf(db).as("sizes"))
    .groupBy("workspace_id")
    .having(({ fn }) => fn.sum("bytes"), ">", MOST_SALE_BYTES)
    .select("workspace_id")
    .limit(MOST_NAMED)
    .execute();
  if (workspaces.length > 0) {
    logger.warn({ workspaces }, "workspaces exceed the limit of tiers on sale: none can be added");
  }
}

function bytesOf({ isActive, name, description, features, prices }: ShownTier): number {
  if (!isActive) return 0;
  const texts = Buffer.byteLength(JSON.stringify([name, description, features]));
  return texts + BYTES_AROUND.price * prices.filter((price) => price.isActive).length;
}
