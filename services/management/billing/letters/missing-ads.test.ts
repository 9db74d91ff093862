import { expect, it } from "vitest";
import { submittedAd } from "#libs/contract/checkout.ts";
import { workspaceSettings } from "#libs/contract/settings.ts";
import { mailsTo, subjectsTo } from "../../mail/tests/sent-mails.ts";
import { startManagement } from "../../tests/management.ts";
import { aPaidCheckout, aPublisher, aTier } from "../../tests/story.ts";
import { remindOfMissingAds } from "./purchases.ts";

let days = 0;
const now = () => Date.now() + days * 24 * 60 * 60_000;
const service = await startManagement({ unlimited: true, now });
const REMINDER = "Submit your ad for Heron Weekly: nothing is shown yet";
const NOTICE = "Still no ad from Example Coffee";

/** A purchase that the service knows of, without an ad. */
async function aPurchase() {
  const publisher = await aPublisher(service, "Heron Weekly");
  const { prices } = await aTier(publisher);
  const checkout = await aPaidCheckout(service, publisher, prices[0]?.id ?? "");
  await checkout.caller.request("GET", checkout.path);
  return { publisher, checkout };
}

type Purchase = Awaited<ReturnType<typeof aPurchase>>;

/** The subjects of buyer and publisher that are about a missing ad, after looking for such purchases that many days later. */
async function remindersAfter(later: number, { checkout, publisher }: Purchase) {
  days += later;
  await remindOfMissingAds({ ...service.services });
  const about = (subjects: string[]) => subjects.filter((one) => one === REMINDER || one === NOTICE);
  return {
    buyer: about(await subjectsTo(service, checkout.email)),
    publisher: about(await subjectsTo(service, publisher.person.email)),
  };
}

it("tells Owners and Managers of a purchase while there is no ad yet, with the way to the advertiser", async () => {
  const { publisher } = await aPurchase();

  const [mail, ...more] = await mailsTo(service, publisher.person.email);

  expect(more).toEqual([]);
  expect(mail?.subject).toBe("New purchase: Example Coffee in Gold");
  expect(mail?.text).toContain("Example Coffee bought Gold ($49/month).");
  expect(mail?.text).toContain("There's no ad to review yet.");
  expect(mail?.text).toContain(`/w/${publisher.workspace.id}/advertisers/adv_`);
});

it("tells a publisher of no purchase where that is turned off, and the buyer all the same", async () => {
  const publisher = await aPublisher(service, "Quiet Weekly");
  const { prices } = await aTier(publisher);
  await publisher.caller.ok(workspaceSettings, "PATCH", `${publisher.path}/settings`, {
    mails: { purchase: false },
  });
  const checkout = await aPaidCheckout(service, publisher, prices[0]?.id ?? "");
  await checkout.caller.request("GET", checkout.path);

  expect(await subjectsTo(service, checkout.email)).toEqual(["Submit your ad for Quiet Weekly"]);
  expect(await mailsTo(service, publisher.person.email)).toEqual([]);
});

it("reminds buyer and publisher of a purchase that has no ad after three days, and a week before the paid time ends", async () => {
  const purchase = await aPurchase();

  const early = await remindersAfter(2.9, purchase);
  const due = await remindersAfter(0.2, purchase);
  const between = await remindersAfter(17, purchase);
  const last = await remindersAfter(5, purchase);
  const again = await remindersAfter(30, purchase);

  expect(early).toEqual({ buyer: [], publisher: [] });
  expect(due).toEqual({ buyer: [REMINDER], publisher: [NOTICE] });
  expect(between).toEqual(due);
  expect(last).toEqual({ buyer: [REMINDER, REMINDER], publisher: [NOTICE, NOTICE] });
  expect(again).toEqual(last);
  const reminder = (await mailsTo(service, purchase.checkout.email)).at(-1);
  expect(reminder?.text).toContain(`/checkout/${purchase.checkout.sessionId}\n`);
  expect(reminder?.text).toMatch(/You've paid until \w+ \d+, \d{4}\./);
  const notice = (await mailsTo(service, purchase.publisher.person.email)).at(-1);
  expect(notice?.text).toMatch(/bought Gold 25 days ago.*\n+They've paid until \w+ \d+, \d{4}\./);
});

it("reminds once where several processes look at the same time", async () => {
  const purchase = await aPurchase();
  days += 4;

  await Promise.all(Array.from({ length: 4 }, () => remindOfMissingAds(service.services)));

  expect(await remindersAfter(0, purchase)).toEqual({ buyer: [REMINDER], publisher: [NOTICE] });
});

it("reminds nobody of an ad that has come meanwhile, or of a subscription that has ended", async () => {
  const submitted = await aPurchase();
  await submitted.checkout.caller.ok(submittedAd, "POST", `${submitted.checkout.path}/ad`, {
    name: "Fresh beans",
    websiteUrl: "https://coffee.example",
  });
  const ended = await aPurchase();
  const { stripe } = service.processor;
  const session = await stripe.checkout.sessions.retrieve(ended.checkout.sessionId);
  await stripe.subscriptions.cancel(String(session.subscription));
  await mailsTo(service, ended.publisher.person.email);

  expect(await remindersAfter(4, submitted)).toEqual({ buyer: [], publisher: [] });
  expect(await remindersAfter(0, ended)).toEqual({ buyer: [], publisher: [] });
});

// A thousand letters are written.
it("goes on in a further job where a stranger's purchases are more than it takes at a time", async () => {
  const stranger = await aPurchase();
  await service.database.pool.query(
    `insert into checkout_sessions
       select (jsonb_populate_record(made, jsonb_build_object('id', 'cs_test_more_' || n, 'subscription_id', null))).*
       from checkout_sessions as made, generate_series(1, 1100) as n where made.id = $1`,
    [stranger.checkout.sessionId],
  );
  const buyer = await aPurchase();

  await remindersAfter(4, stranger);

  await expect.poll(() => subjectsTo(service, buyer.checkout.email), { timeout: 20_000 }).toContain(REMINDER);
});
