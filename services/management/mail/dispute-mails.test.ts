import { expect, it, vi } from "vitest";
import { ad } from "#libs/contract/ad.ts";
import { invoice } from "#libs/contract/invoices.ts";
import { pageOf } from "#libs/contract/query.ts";
import type { DisputeStatus } from "#libs/domain/invoice.ts";
import { syncCharge } from "../billing/ledger/charge.ts";
import { invoiceOf } from "../tests/ledger-story.ts";
import { startManagement } from "../tests/management.ts";
import { anApprovedAd, aPublisher } from "../tests/story.ts";
import { disputeNews } from "./dispute-letters.ts";
import { mailsTo } from "./tests/sent-mails.ts";

const service = await startManagement({ unlimited: true });

/** A paid ad of a publisher of its own, and what its bank does. */
async function aPaidAd() {
  const publisher = await aPublisher(service, "Heron Weekly");
  const { caller, path } = publisher;
  const running = await anApprovedAd(service, publisher);
  const invoiceId = await invoiceOf(service, running.subscription.advertiser.id);
  const { subscription } = await service.processor.stripe.checkout.sessions.retrieve(
    running.checkout.sessionId,
  );
  const [billed] = (await service.processor.stripe.invoices.list({ subscription: String(subscription) }))
    .data;
  const charge = await service.services.payments.readChargeOfInvoice(billed?.id ?? "", null);
  const chargeId = charge?.id ?? "";
  const post = (url: string, body: object) => caller.request("POST", url, body);
  const ledger = async () =>
    (await caller.ok(pageOf(invoice), "GET", `${path}/invoices?subscriptionId=${running.subscription.id}`))
      .items[0];
  return {
    ...running,
    publisher,
    chargeId,
    refund: (body: object) => post(`${path}/invoices/${invoiceId}/refunds`, body),
    /** The bank's step, once the ledger has it. */
    dispute: async (body: object = {}) => {
      const { text } = await post(`/sandbox/charges/${chargeId}/dispute`, body);
      const { id, status } = JSON.parse(text);
      const expected = status.startsWith("warning") ? "inquiry" : status;
      await vi.waitFor(async () => expect((await ledger())?.dispute?.status).toBe(expected), 10_000);
      return String(id);
    },
    close: async (id: string, outcome: "won" | "lost") => {
      await post(`/sandbox/disputes/${id}/close`, { outcome });
      await vi.waitFor(async () => expect((await ledger())?.dispute?.status).toBe(outcome), 10_000);
    },
    ledger,
    /** The letters about disputes to the publisher. */
    news: async () =>
      (await mailsTo(service, publisher.person.email)).filter(({ subject }) => /disput|bank/.test(subject)),
  };
}

it("tells the publisher once of a dispute with the day by which evidence is due, and of its end", async () => {
  const { dispute, close, news, ledger, chargeId, subscription } = await aPaidAd();
  const { name } = subscription.advertiser;

  const id = await dispute();
  await syncCharge(service.services, chargeId, null);
  const due = new Date((await ledger())?.dispute?.evidenceDueBy ?? "");
  await close(id, "lost");

  const [opened, lost, ...more] = await news();
  expect([opened?.subject, lost?.subject]).toEqual([
    `${name} disputes a payment`,
    `A dispute is lost: ${name}`,
  ]);
  expect(more).toEqual([]);
  const day = due.toLocaleDateString("en-US", { dateStyle: "long", timeZone: "UTC" });
  expect(opened?.text).toContain(`Send your evidence by ${day}`);
  expect(opened?.text).toContain("Nothing else changes: the subscription stays as it is unless you end it.");
  expect(lost?.text).toContain("$49.00");
});

it("offers the refund again when a dispute is won after the ad was rejected", async () => {
  const { dispute, close, news, publisher, path } = await aPaidAd();

  const id = await dispute();
  await publisher.caller.ok(ad, "POST", `${path}/reject`, { note: "Not any more.", refund: true });
  await close(id, "won");

  expect((await news()).at(-1)?.text).toContain("If it's to be refunded, refund it now:");
});

it("offers the refund again when a dispute is won before the refund of a cancellation could be made", async () => {
  const { dispute, close, news, publisher, subscription } = await aPaidAd();
  const cancelPath = `${publisher.path}/subscriptions/${subscription.id}/cancel`;
  await service.processor.while("poor", async () => {
    expect((await publisher.caller.request("POST", cancelPath, { refund: true })).status).toBe(200);
  });

  const id = await dispute();
  await close(id, "won");

  expect((await news()).at(-1)?.text).toContain("If it's to be refunded, refund it now:");
});

it("speaks of no refund in the letter of a rejection when the bank has returned the payment", async () => {
  const { dispute, close, publisher, path, subscription } = await aPaidAd();
  await close(await dispute(), "lost");

  await publisher.caller.ok(ad, "POST", `${path}/reject`, { note: "Not any more.", refund: false });

  await vi.waitFor(async () => {
    const told = await mailsTo(service, subscription.advertiser.email ?? "");
    const rejected = told.find(({ subject }) => subject.includes("rejected"));
    expect(rejected?.text).toContain("You won't be charged");
    expect(rejected?.text).not.toContain("refund");
  }, 10_000);
});

it("lets a payment be refunded that the bank only asks about, which settles the question", async () => {
  const { dispute, refund, news, ledger, subscription } = await aPaidAd();
  const { name } = subscription.advertiser;

  await dispute({ kind: "inquiry" });
  const refunded = await refund({});

  expect(refunded.status, refunded.text).toBe(200);
  await vi.waitFor(async () => expect((await ledger())?.dispute?.status).toBe("won"), 10_000);
  const subjects = (await news()).map(({ subject }) => subject);
  expect(subjects).toEqual([
    `The bank asks about a payment of ${name}`,
    `The bank no longer asks about a payment of ${name}`,
  ]);
});

it("refunds what the bank only asks about with a rejection, and not once it is a dispute", async () => {
  const [asked, disputed] = [await aPaidAd(), await aPaidAd()];
  await asked.dispute({ kind: "inquiry" });
  await disputed.dispute({ kind: "inquiry" });
  await disputed.dispute();

  for (const { publisher, path } of [asked, disputed]) {
    await publisher.caller.ok(ad, "POST", `${path}/reject`, { note: "Not any more.", refund: true });
  }

  expect((await asked.ledger())?.amountRefunded).toBeGreaterThan(4800);
  expect((await disputed.ledger())?.amountRefunded).toBe(0);
});

it.each<[DisputeStatus | null, DisputeStatus | null, string | null]>([
  [null, null, null],
  [null, "needs_response", "opened"],
  [null, "under_review", "opened"],
  [null, "inquiry", "inquiry"],
  [null, "won", null],
  [null, "lost", null],
  ["inquiry", "inquiry", null],
  ["inquiry", "needs_response", "opened"],
  ["inquiry", "won", "settled"],
  ["needs_response", "under_review", null],
  ["needs_response", "lost", "lost"],
  ["under_review", "won", "won"],
  ["lost", "needs_response", "opened"],
  ["won", "lost", null],
])("makes of a dispute that was %s and is %s the news %s", (before, after, news) => {
  expect(disputeNews(before, after)).toBe(news);
});
