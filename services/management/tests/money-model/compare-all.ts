import { expect } from "vitest";
import { advertiserPage } from "#libs/contract/advertisers.ts";
import { revenue } from "#libs/contract/revenue.ts";
import { shown } from "./calendar.ts";
import { type Life, statusOf } from "./life.ts";
import type { Scene, Sold } from "./scene.ts";

/** Average months in a period. */
const MONTHS = { Day: 12 / 365.25, Week: 84 / 365.25, Month: 1, Year: 12 } as const;

/** Compares what a publisher sees of all purchases: revenue, the file of invoices and the list of advertisers. */
export async function compareEverything(scene: Scene, all: readonly Sold[]): Promise<void> {
  const { publisher } = scene;
  const { currencies } = await publisher.caller.ok(revenue, "GET", `${publisher.path}/revenue?months=60`);
  const since = currencies[0]?.rows[0]?.month ?? "";
  const listed = currencies.flatMap(({ currency, rows }) =>
    rows
      .filter(({ gross, refunded }) => gross + refunded > 0)
      .map(({ month, gross, refunded }) => `${currency} ${month} ${gross} ${refunded}`),
  );
  expect(listed.toSorted()).toEqual(monthsOf(all, since));
  for (const { totals, rows } of currencies) {
    const sum = (of: "gross" | "refunded") => rows.reduce((before, row) => before + row[of], 0);
    expect({ gross: totals.gross, refunded: totals.refunded }).toEqual({
      gross: sum("gross"),
      refunded: sum("refunded"),
    });
  }
  await compareFile(scene, all);
  await compareAdvertisers(scene, all);
}

/** What came in and went back by currency and month, from that month on. */
function monthsOf(all: readonly Sold[], since: string): string[] {
  const sums = new Map<string, { gross: number; refunded: number }>();
  const add = (currency: string, at: number, gross: number, refunded: number) => {
    const month = shown(at).slice(0, 7);
    if (gross + refunded === 0 || month < since) return;
    const before = sums.get(`${currency} ${month}`) ?? { gross: 0, refunded: 0 };
    sums.set(`${currency} ${month}`, {
      gross: before.gross + gross,
      refunded: before.refunded + refunded,
    });
  };
  for (const { life } of all) {
    for (const { amount, at, refunds } of life.payments) {
      add(life.terms.currency, at, amount, 0);
      for (const refund of refunds) add(life.terms.currency, refund.at, 0, refund.amount);
    }
  }
  return [...sums].map(([of, { gross, refunded }]) => `${of} ${gross} ${refunded}`).toSorted();
}

/** Compares the letters to a buyer that tell of money: each is sent once, whatever became of the webhooks. */
export function compareMails({ rig }: Scene, { life, email, refunds, isEndedHere }: Sold): void {
  const subjects = rig.mailsTo(email);
  const about = (words: string) => subjects.filter((subject) => subject.includes(words)).length;
  const back = subjects.flatMap((subject) => subject.split("has refunded ").slice(1));
  expect({ email, refunded: back.toSorted(), ended: about("has ended") }).toEqual({
    email,
    refunded: refunds.map((amount) => written(amount, life.terms.currency)).toSorted(),
    ended: life.endedAt !== null && !isEndedHere ? 1 : 0,
  });
  if (statusOf(life) === "PastDue")
    expect({ email, failed: about("failed") }).not.toEqual({ email, failed: 0 });
}

function written(amount: number, currency: string): string {
  const format = new Intl.NumberFormat("en", { style: "currency", currency });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  // In subjects all spaces are plain.
  return format.format(amount / 10 ** digits).replaceAll("\u00A0", " ");
}

async function compareFile({ publisher }: Scene, all: readonly Sold[]): Promise<void> {
  const { text } = await publisher.caller.request("GET", `${publisher.path}/invoices.csv`);
  const paid = all.flatMap(({ life, email }) =>
    life.payments.map(({ amount, refunded }) => `${email} ${life.terms.currency} ${amount} ${refunded}`),
  );
  const [head = "", ...lines] = text.replace("\uFEFF", "").trim().split(/\r?\n/);
  const columns = head.split(",");
  const rows = lines.map((line) => {
    const cells = line.split(",");
    return Object.fromEntries(columns.map((column, at) => [column, cells[at] ?? ""]));
  });
  const listed = rows
    .filter(({ amountPaid }) => Number(amountPaid) > 0)
    .map((row) => `${row.advertiserEmail} ${row.currency} ${row.amountPaid} ${row.amountRefunded}`);
  expect(listed.toSorted()).toEqual(paid.toSorted());
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
    const row = seen.get(email);
    expect({ email, ...row }).toEqual({
      email,
      lifetimeAmount: paid,
      unpaidAmount: unpaidOf(life) ?? row?.unpaidAmount,
      monthlyAmount: monthlyOf(life) ?? row?.monthlyAmount,
    });
  }
}

/** What is owed of a purchase; null where the rule leaves it open. */
function unpaidOf({ owed, endedAt }: Life): number | null {
  // Paused before its charge was first tried: nobody owes a draft, which the processor may or may not have made final.
  const isDraft = owed?.attempts === 0;
  return endedAt !== null || isDraft ? null : (owed?.amount ?? 0);
}

/** What a purchase brings in a month; null where the rule leaves it open. */
function monthlyOf({ period, stop, endedAt, terms, isHeld }: Life): number | null {
  if (endedAt !== null) return 0;
  if (stop !== null) return isHeld ? null : 0;
  if (period.bill !== "paid") return null;
  return Math.round((period.payment?.total ?? 0) / (MONTHS[terms.interval] * terms.intervalCount));
}
