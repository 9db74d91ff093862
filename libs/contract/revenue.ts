import { z } from "zod";
import { memberApi } from "./errors.ts";
import { money, signedMoney } from "./invoices.ts";
import { days, queryInteger, shownDays } from "./query.ts";
import { timestamp, whole } from "./text.ts";

const figures = z.object({
  gross: money.meta({ description: "Paid in that time, before refunds." }),
  refunded: money.meta({ description: "Refunded in that time, whenever it was paid." }),
  net: signedMoney.meta({ description: "Gross minus refunds; negative if refunds exceed payments." }),
  invoices: whole.meta({ description: "Invoices paid, free ones included." }),
});

/** Figures of a window by currency: a row per stretch of time, and what they add up to. */
function byCurrency<When extends z.ZodRawShape>(when: When, words: { rows: string; totals: string }) {
  const row = z.object({ ...when, ...figures.shape });
  return z
    .array(
      z.object({
        currency: z.string().meta({ examples: ["usd"] }),
        rows: z.array(row).meta({ description: words.rows }),
        totals: figures.meta({ description: words.totals }),
      }),
    )
    .meta({ description: "The workspace's currency first; currencies are never added up." });
}

const MOST_MONTHS = 60;
const month = z.string().meta({ description: "A UTC month.", examples: ["2026-11"] });
const date = timestamp.meta({ description: "Midnight UTC of the day." });

/** What came in and went back, month by month. */
export const revenue = z.object({
  months: z.int().min(1).max(MOST_MONTHS),
  currencies: byCurrency({ month }, { rows: "Oldest first.", totals: "Of all requested months." }),
});

/** What came in and went back, day by day. */
export const dailyRevenue = z.object({
  days: shownDays,
  currencies: byCurrency(
    { date },
    { rows: "Oldest first, each day of the window.", totals: "Of all requested days." },
  ),
});

const months = queryInteger({
  min: 1,
  max: MOST_MONTHS,
  default: 12,
  description: "UTC months in the window, the current one included.",
});

export const revenueProcedures = {
  revenue: memberApi("Viewer")
    .route({
      method: "GET",
      path: "/workspaces/{workspaceId}/revenue",
      tags: ["Invoices"],
      summary: "Revenue by month and currency",
      description:
        "What was paid, refunded and is left, by UTC month, oldest first. A refund counts in the month in which it was made; disputes are not subtracted.",
    })
    .input(z.object({ workspaceId: z.string(), months }))
    .output(revenue),
  revenueByDay: memberApi("Viewer")
    .route({
      method: "GET",
      path: "/workspaces/{workspaceId}/revenue/daily",
      tags: ["Invoices"],
      summary: "Revenue by day and currency",
      description: "As by month, by UTC day.",
    })
    .input(z.object({ workspaceId: z.string(), days }))
    .output(dailyRevenue),
};
