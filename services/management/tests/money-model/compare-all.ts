import { expect } from "vitest";
import { advertiserPage } from "#libs/contract/advertisers.ts";
import { revenue } from "#libs/contract/invoices.ts";
import { type Life, statusOf } from "./life.ts";
import type { Scene, Sold } from "./scene.ts";

/** Average months in a period. */
const MONTHS = { Day: 12 / 365.25, Week: 84 / 365.25, Month: 1, Year: 12 } as const;

/** Compares what a publisher sees of all purchases: revenue, the file of invoices and the list of advertisers. */
export async function compareEverything(scene: Scene, all: readonly Sold[]): Promise<void> {
  const { publisher } = scene;
  const { currencies } = await publisher.caller.ok(revenue, "GET", `${publisher.path}/revenue?months=60`);
  const shown = new Map(
    currencies.map(({ currency, totals: { gross, refunded } }) => [currency, { gross, refunded }]),
  );
  const known = new Map(currencies.map(({ currency }) => [currency, { gross: 0, refunded: 0 }]));
  for (const { life } of all) {
    for (const { amount, refunded } of life.payments) {
      const sums = known.get(life.terms.currency) ?? { gross: 0, refunded: 0 };
      known.set(life.terms.currency, { gross: sums.gross + amount, refunded: sums.refunded + refunded });
    }
  }
  expect(shown).toEqual(known);
  await compareFile(scene, all);
  await compareAdvertisers(scene, all);
  for (const sold of all) await compareMails(scene, sold);
}

/** Compares the letters to a buyer that tell of money: each is sent once, whatever became of the webhooks. */
async function compareMails({ rig }: Scene, { life, email, refunds, endedByRejection }: Sold): Promise<void> {
  const subjects = await rig.mailsTo(email);
  const about = (words: string) => subjects.filter((subject) => subject.includes(words)).length;
  expect({ email, refunded: about("has refunded"), ended: about("has ended") }).toEqual({
    email,
    refunded: refunds,
    ended: life.endedAt !== null && !endedByRejection ? 1 : 0,
  });
  if (statusOf(life) === "PastDue")
    expect({ email, failed: about("failed") }).not.toEqual({ email, failed: 0 });
}

async function compareFile({ publisher }: Scene, all: readonly Sold[]): Promise<void> {
  const { text } = await publisher.caller.request("GET", `${publisher.path}/invoices.csv`);
  const paid = all.flatMap(({ life, email }) =>
    life.payments.map(({ amount, refunded }) => `${email} ${amount} ${refunded}`),
  );
  const [head = "", ...lines] = text.replace("\uFEFF", "").trim().split(/\r?\n/);
  const columns = head.split(",");
  const rows = lines.map((line) => {
    const cells = line.split(",");
    return Object.fromEntries(columns.map((column, at) => [column, cells[at] ?? ""]));
  });
  const shown = rows
    .filter((row) => Number(row.amountPaid ?? row.amount_paid) > 0)
    .map((row) => Object.values(row)).length;
  expect({ paidRows: shown }).toEqual({ paidRows: paid.length });
}

async function compareAdvertisers({ publisher }: Scene, all: readonly Sold[]): Promise<void> {
  const { items } = await publisher.caller.ok(
    advertiserPage,
    "GET",
    `${publisher.path}/advertisers?perPage=100`,
  );
  const seen = new Map(
    items.map(({ email, totals: { lifetimeAmount, unpaidAmount, monthlyAmount } }) => [
      email,
      { lifetimeAmount, unpaidAmount, monthlyAmount },
    ]),
  );
  for (const { life, email } of all) {
    const paid = life.payments.reduce((sum, { amount, refunded }) => sum + amount - refunded, 0);
    const shown = seen.get(email);
    expect({ email, ...shown }).toEqual({
      email,
      lifetimeAmount: paid,
      unpaidAmount: life.endedAt === null ? (life.owed?.amount ?? 0) : (shown?.unpaidAmount ?? 0),
      monthlyAmount: monthlyOf(life) ?? shown?.monthlyAmount,
    });
  }
}

/** What a purchase brings in a month; null where the rule leaves it open. */
function monthlyOf({ period, stop, endedAt, terms }: Life): number | null {
  if (endedAt !== null || stop !== null) return 0;
  if (period.bill !== "paid") return null;
  return Math.round((period.payment?.amount ?? 0) / (MONTHS[terms.interval] * terms.intervalCount));
}
