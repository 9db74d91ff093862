import { describe, expect, it, vi } from "vitest";
import { formats } from "../../mail/formats.ts";
import { startManagement } from "../../tests/management.ts";
import { aPaidCheckout, aPublisher, aTier, chargingSettles } from "../../tests/story.ts";
import { all, one, openPage, type ParsedPage } from "./pages.ts";
import { aWholeAd, aWholePublisher, count, pathOf } from "./states.ts";

const service = await startManagement({ unlimited: true, stats: "real", webhooks: "by hand" });
const whole = await aWholePublisher(service);
const { publisher, gold } = whole;
const DAY_MS = 86_400_000;
const inTenDays = new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS + 10 * DAY_MS);

async function anOpenSession() {
  const answer = await fetch(`${service.origin}${publisher.path}/checkout-sessions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ tierPriceId: gold.prices[0]?.id }),
  });
  const { sessionId }: { sessionId: string } = JSON.parse(await answer.text());
  return { sessionId, page: pathOf(publisher, { sessionId }) };
}

/** The word that says how the ad stands. */
function badgeOf(page: ParsedPage): string {
  return all(page, "p").find(({ attributes }) => attributes.class?.startsWith("badge"))?.text ?? "";
}

function linksOf(page: ParsedPage): (string | undefined)[] {
  return all(page, "a").map(({ attributes }) => attributes.href);
}

describe("before there is an ad", () => {
  it("waits for the payment, reloads without the script, less often each time, and finally stops", async () => {
    const { sessionId, page: path } = await anOpenSession();

    const first = await openPage(service, path);
    const later = await openPage(service, `${path}?look=9`);
    const last = await openPage(service, `${path}?look=40`);
    const odd = await openPage(service, `${path}?look=-1&look=2`);

    expect(first.status).toBe(200);
    expect(first.text).toContain("Waiting for payment");
    expect(one(first, "section", "data-awaits").attributes["data-awaits"]).toBe(
      `/v1/checkout-sessions/${sessionId}`,
    );
    expect(one(first, "meta", "http-equiv", "refresh").attributes.content).toBe(`3;url=${path}?look=1`);
    expect(one(later, "meta", "http-equiv", "refresh").attributes.content).toBe(`30;url=${path}?look=10`);
    expect(all(last, "meta", "http-equiv", "refresh")).toEqual([]);
    expect(one(odd, "meta", "http-equiv", "refresh").attributes.content).toBe(`3;url=${path}?look=1`);
  });

  it("keeps waiting while the processor does not answer, and says so", async () => {
    const { page: path } = await anOpenSession();

    const page = await service.processor.while("failing", () => openPage(service, path));

    expect(page.status).toBe(502);
    expect(page.text).toContain("The payment service isn't responding.");
    expect(all(page, "meta", "http-equiv", "refresh")).toHaveLength(1);
  });

  it("says that an expired checkout was not charged, and takes no ad for it", async () => {
    const { sessionId, page: path } = await anOpenSession();
    await service.processor.stripe.checkout.sessions.expire(sessionId);

    const page = await openPage(service, path);
    const sent = await openPage(service, path, new URLSearchParams({ name: "Coffee" }));

    expect(page.text).toContain("This checkout has expired");
    expect(linksOf(page)).toContain(`/advertise/${publisher.workspace.slug}`);
    expect(sent.text).toContain("This checkout has expired");
  });

  it("takes no ad before payment", async () => {
    const { page: path } = await anOpenSession();

    const sent = await openPage(service, path, new URLSearchParams({ name: "Coffee" }));

    expect(sent.text).toContain("Waiting for payment");
  });

  it("asks for the ad as soon as it is paid, with defaults in place", async () => {
    const paid = await aPaidCheckout(service, publisher, gold.prices[0]?.id ?? "");

    const page = await openPage(service, pathOf(publisher, paid));

    expect(one(page, "h1").text).toBe("Submit your ad");
    expect(one(page, "form").attributes.action).toBe(pathOf(publisher, paid));
    expect(one(page, "input", "name", "meta.background").attributes.value).toBe("#ff8800");
    expect(all(page, "input", "autofocus")).toEqual([]);
    expect(linksOf(page)).toContain(`${pathOf(publisher, paid)}/billing`);
  });

  it("is no page of another workspace, nor of a session that does not exist", async () => {
    const neighbour = await aPublisher(service, "Magpie Weekly");
    const { sessionId } = await anOpenSession();
    const paths = [
      pathOf(neighbour, { sessionId }),
      pathOf(publisher, { sessionId: "cs_test_0000000000000000" }),
      pathOf(publisher, { sessionId: "%00" }),
      `/advertise/nobody/checkout/${sessionId}`,
    ];

    for (const path of paths) {
      for (const below of ["", "/edit", "/billing"]) {
        const page = await openPage(service, path + below);
        expect([page.status, one(page, "h1").text], path + below).toEqual([404, "Page not found"]);
        expect(page.text.includes("Heron"), path + below).toBe(path.includes(publisher.workspace.id));
      }
    }
  });
});

describe("an ad in review", () => {
  it("waits for review, shows what was sent, and can be changed", async () => {
    const ad = await aWholeAd(service, whole);

    const page = await openPage(service, ad.page);
    const edit = await openPage(service, `${ad.page}/edit`);

    expect(page.title).toBe("In review: Example Coffee – Heron Weekly");
    expect(badgeOf(page)).toBe("In review");
    for (const value of [
      "Roasted this morning",
      "Tea & cake",
      "Yes",
      "15",
      "2026-12-01",
      "ads@coffee.example",
    ]) {
      expect(page.text).toContain(value);
    }
    expect(page.text).not.toContain("Impressions");
    expect(linksOf(page)).toContain(`${ad.page}/edit`);
    expect(one(edit, "input", "name", "name").attributes.value).toBe("Example Coffee");
    expect(one(edit, "option", "selected").text).toBe("Tea & cake");
    expect(one(edit, "textarea").text.trim()).toBe(
      "Beans from three farms.\nShipped the day they are roasted.",
    );
  });

  it("shows the publisher's note with the form, and is in review again once it is sent", async () => {
    const ad = await aWholeAd(service, whole);
    await ad.decide("request-changes", "Fewer capitals,\nplease.");

    const asked = await openPage(service, ad.page);
    await ad.submit();
    const again = await openPage(service, `${ad.page}?saved=1`);
    await ad.decide("approve");
    const approved = await openPage(service, `${ad.page}?saved=1`);

    expect(badgeOf(asked)).toBe("Changes requested");
    expect(one(asked, "blockquote").text).toBe("Fewer capitals,\nplease.");
    expect(one(asked, "input", "name", "name").attributes.value).toBe("Example Coffee");
    expect(badgeOf(again)).toBe("In review");
    expect(one(again, "p", "role", "status").text).toBe(
      "Submitted. Heron Weekly will review it and email you.",
    );
    expect(approved).not.toContain("Heron Weekly will review it");
  });

  it("tells why it was rejected, and takes no further version", async () => {
    const ad = await aWholeAd(service, whole);
    await ad.decide("reject", "No coffee here.");

    const page = await openPage(service, ad.page);
    const edit = await openPage(service, `${ad.page}/edit`);
    const sent = await openPage(service, ad.page, new URLSearchParams({ name: "Tea" }));

    expect(badgeOf(page)).toBe("Rejected");
    expect(one(page, "blockquote").text).toBe("No coffee here.");
    expect(linksOf(page)).not.toContain(`${ad.page}/edit`);
    expect(all(page, "form")).toEqual([]);
    expect([edit, sent].map(({ status, headers }) => [status, headers.get("location")])).toEqual([
      [303, ad.page],
      [303, ad.page],
    ]);
  });
});

describe("a live ad", () => {
  it("shows its own stats per day, over the requested days", async () => {
    const ad = await aWholeAd(service, whole);
    const other = await aWholeAd(service, whole);
    await ad.approve();
    await other.approve();
    const workspaceId = publisher.workspace.id;
    await count(service, { workspaceId, adId: ad.id }, [
      [4, 1],
      [0, 0],
      [10, 2],
      ...Array(7).fill([0, 0]),
      [100, 8],
    ]);
    await count(service, { workspaceId, adId: other.id }, [[50, 20]]);

    const usual = await openPage(service, ad.page);
    const week = await openPage(service, `${ad.page}?days=7`);
    const odd = await openPage(service, `${ad.page}?days=365`);

    const statsOf = (page: ParsedPage) =>
      all(page, "dd")
        .slice(0, 4)
        .map(({ text }) => text);
    expect(badgeOf(usual)).toBe("Live");
    expect(statsOf(usual)).toEqual(["114", "11", "9.65%", "Example Coffee"]);
    expect(statsOf(week)).toEqual(["14", "3", "–", "From 100 impressions on"]);
    expect(statsOf(odd)).toEqual(statsOf(usual));
    expect(all(usual, "rect", "y")).toHaveLength(2 * 30);
    expect(all(week, "rect", "y").map(({ attributes }) => attributes.height)).toEqual([
      ...["0", "0", "0", "0", "100", "0", "40"],
      ...["0", "0", "0", "0", "100", "0", "50"],
    ]);
    expect(all(week, "tr")).toHaveLength(8);
    expect(one(week, "a", "aria-current").text).toBe("7 days");
  });

  it("takes an edit, which the publisher answers, while the current version stays", async () => {
    const ad = await aWholeAd(service, whole);
    await ad.approve();
    const offered = await openPage(service, `${ad.page}/edit`);
    await ad.submit({ name: "Example Tea" });

    const waiting = await openPage(service, ad.page);
    await ad.decide("revision/request-changes", "Back to coffee.");
    const asked = await openPage(service, ad.page);
    const edit = await openPage(service, `${ad.page}/edit`);

    expect(offered.text).toContain("Until it's approved, the current version stays live.");
    expect(one(waiting, "h1").text).toBe("Example Coffee");
    expect(badgeOf(waiting)).toBe("Live");
    expect(waiting.text).toContain("Heron Weekly is reviewing your edit.");
    expect(waiting.text).toContain("Example Tea");
    expect(one(asked, "blockquote").text).toBe("Back to coffee.");
    expect(one(edit, "blockquote").text).toBe("Back to coffee.");
    expect(one(edit, "input", "name", "name").attributes.value).toBe("Example Tea");
  });
});

describe("the subscription before the ad is decided", () => {
  it("says once when it renews, with no date and no box", async () => {
    const service = await startManagement({ unlimited: true });
    const seller = await aPublisher(service, "Heron Weekly");
    const tier = await aTier(seller);
    const paid = await aPaidCheckout(service, seller, tier.prices[0]?.id ?? "");
    await chargingSettles(service);
    const settled = await openPage(service, pathOf(seller, paid));
    // As before the charge is held: at the first view after the payment.
    await service.services.db.updateTable("subscriptions").set({ awaits_approval: false }).execute();

    const first = await openPage(service, pathOf(seller, paid));

    for (const page of [first, settled]) {
      expect(page.text).not.toContain("Renews on");
      expect(page.text.match(/renews only once your ad is approved/g)).toHaveLength(1);
      expect(all(page, "div", "class", "note good")).toEqual([]);
    }
  });
});

describe("the note about the subscription", () => {
  it.each([
    [{ status: "PastDue" }, "Not live", "Your last payment failed.", true],
    [{ status: "Unpaid" }, "Not live", "Your last payment failed.", true],
    [{ status: "Incomplete" }, "Not live", "Your first payment isn't complete.", true],
    [{ status: "Paused" }, "Paused", "Heron Weekly has paused your ad.", false],
    [{ status: "Canceled", canceled_at: new Date("2026-03-01") }, "Ended", "ended on March 1, 2026.", false],
    [
      { status: "Canceled", canceled_at: new Date("2026-02-01"), ended_at: new Date("2026-03-01") },
      "Ended",
      "ended on March 1, 2026.",
      false,
    ],
    [
      { status: "Trialing", trial_end: new Date("2099-03-01") },
      "Live",
      "Free until March 1, 2099, then $49/month",
      false,
    ],
    [{ cancel_at: inTenDays }, "Live", "Your subscription is canceled. Your ad keeps running until", false],
    [{ cancel_at: new Date("2026-03-01") }, "Ended", "ended on March 1, 2026.", false],
  ])("tells of %j", async (changes, badge, sentence, canPay) => {
    const ad = await aWholeAd(service, whole);
    await ad.approve();
    await ad.bill(changes);

    const page = await openPage(service, ad.page);

    expect(badgeOf(page)).toBe(badge);
    expect(page.text).toContain(sentence);
    expect(all(page, "a").some(({ text }) => text === "Pay now")).toBe(canPay);
    expect(linksOf(page).includes(`${ad.page}/edit`)).toBe(!sentence.startsWith("ended on"));
    expect(linksOf(page)).toContain(`${ad.page}/billing`);
  });

  it("is over before it has begun when the subscription ends in review", async () => {
    const ad = await aWholeAd(service, whole);
    await ad.decide("request-changes", "Fewer capitals.");
    await ad.bill({ status: "Canceled", canceled_at: new Date("2026-03-01") });

    const page = await openPage(service, ad.page);
    const edit = await openPage(service, `${ad.page}/edit`);

    expect(badgeOf(page)).toBe("Ended");
    expect(all(page, "form")).toEqual([]);
    expect(edit.headers.get("location")).toBe(ad.page);
  });

  it("leads to the processor's pages to manage it, and says so when they cannot be had", async () => {
    const ad = await aWholeAd(service, whole);
    const { page: unpaid } = await anOpenSession();

    const answer = await openPage(service, `${ad.page}/billing`);
    const away = await service.processor.while("failing", () => openPage(service, `${ad.page}/billing`));
    const early = await openPage(service, `${unpaid}/billing`);

    expect(answer.status).toBe(303);
    expect((await fetch(answer.headers.get("location") ?? "")).status).toBe(200);
    expect([away.status, one(away, "h1").text]).toEqual([502, "The payment service isn't responding"]);
    expect(early.status).toBe(409);
    expect(early.text).toContain("Bills can be seen once the checkout is paid.");
  });
});

it("names the sandbox's clock while it is ahead, and the end of a period rather than the cancellation", async () => {
  const own = await startManagement({ unlimited: true });
  const seller = await aPublisher(own, "Heron Weekly");
  const tier = await aTier(seller);
  const paid = await aPaidCheckout(own, seller, tier.prices[0]?.id ?? "");
  const path = pathOf(seller, paid);
  const before = await openPage(own, path);
  const { provider_subscription_id: id } = await own.services.db
    .selectFrom("subscriptions")
    .select("provider_subscription_id")
    .executeTakeFirstOrThrow();
  await own.processor.stripe.subscriptions.update(id, { cancel_at_period_end: true });

  const { origin } = own;
  await fetch(`${origin}/sandbox/clock/advance`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ days: 40 }),
  });
  // Before the service has learned of the end, the page names the planned one.
  const { ended_at: end, canceled_at: decided } = await vi.waitFor(async () => {
    const ended = await own.services.db
      .selectFrom("subscriptions")
      .select(["ended_at", "canceled_at"])
      .executeTakeFirstOrThrow();
    expect(ended.ended_at).not.toBeNull();
    return ended;
  }, 20_000);
  const after = await openPage(own, path);

  expect(one(before, "aside", "class", "sandbox").text).not.toContain("clock");
  expect(one(after, "aside", "class", "sandbox").text).toContain("Sandbox clock: ");
  expect(end?.getTime()).toBeGreaterThan((decided?.getTime() ?? 0) + 20 * 86_400_000);
  expect(after.text).toContain(`ended on ${formats.day(end ?? new Date(0))}.`);
});

it("says until when an advertiser without an ad has paid, and after that what an approval costs", async () => {
  const own = await startManagement({ unlimited: true });
  const seller = await aPublisher(own, "Heron Weekly");
  const tier = await aTier(seller);
  const paid = await aPaidCheckout(own, seller, tier.prices[0]?.id ?? "");
  const path = pathOf(seller, paid);
  await openPage(own, path);
  await chargingSettles(own);
  const { current_period_end: end } = await own.services.db
    .selectFrom("subscriptions")
    .select("current_period_end")
    .executeTakeFirstOrThrow();
  const day = formats.day(end ?? new Date(0));

  const before = await openPage(own, path);
  await fetch(`${own.origin}/sandbox/clock/advance`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ days: 40 }),
  });
  await vi.waitFor(async () => {
    const after = await openPage(own, path);
    expect(one(after, "div", "class", "note wait").text).toBe(
      `No paid time is left. Once your ad is approved, a new period starts and is charged. If you don't want that, cancel the subscription.`,
    );
    expect(one(after, "h1").text).toBe("Submit your ad");
  }, 20_000);
  // The processor has gone on to a period that nobody pays, with an end of its own.
  await vi.waitFor(async () => {
    const held = await own.services.db.selectFrom("subscriptions").select("is_period_void").execute();
    expect(held).toEqual([{ is_period_void: true }]);
  }, 20_000);
  const later = await openPage(own, path);
  expect(later.text).toContain("No paid time is left.");
  expect(later.text).not.toContain("Paid until");

  expect(before.text).toContain(`Paid until ${day}`);
  expect(all(before, "div", "class", "note wait")).toEqual([]);
});

it("shows what its placements have brought only where the publisher wants that to be seen", async () => {
  const shown = await aWholePublisher(service);
  const ad = await aWholeAd(service, shown);
  await ad.approve();
  await count(service, { workspaceId: shown.publisher.workspace.id, adId: ad.id }, [[1200, 3]]);
  const offer = `/advertise/${shown.publisher.workspace.slug}`;

  const before = await openPage(service, offer);
  await shown.publisher.person.caller.request("PATCH", `${shown.publisher.path}/settings`, {
    audiencePublic: true,
  });
  const after = await openPage(service, offer);

  expect(before.text).not.toContain("Ad performance");
  expect(after.text).toContain("Ad performance, last 30 days");
  expect(
    all(after, "dd")
      .slice(0, 3)
      .map(({ text }) => text),
  ).toEqual(["1,200", "3", "1,200"]);
});

it("keeps the address of every page of a session to its holder, and says that payments are a sandbox", async () => {
  const { page: unpaid } = await anOpenSession();
  const paid = await aPaidCheckout(service, publisher, gold.prices[0]?.id ?? "");
  const ad = await aWholeAd(service, whole);
  await ad.approve();

  const pages = await Promise.all(
    [unpaid, pathOf(publisher, paid), ad.page, `${ad.page}/edit`].map((path) => openPage(service, path)),
  );
  pages.push(await openPage(service, pathOf(publisher, paid), new URLSearchParams()));

  for (const page of pages) {
    expect(page.headers.get("referrer-policy")).toBe("no-referrer");
    expect(page.headers.get("cache-control")).toBe("no-store");
    expect(page.headers.get("x-robots-tag")).toBe("noindex, nofollow");
    expect(one(page, "meta", "name", "robots").attributes.content).toBe("noindex, nofollow");
    expect(one(page, "aside", "class", "sandbox").text).toContain("Sandbox payments.");
  }
});
