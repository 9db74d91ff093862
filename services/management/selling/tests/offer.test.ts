import { describe, expect, it } from "vitest";
import { startManagement } from "../../tests/management.ts";
import { aPublisher, aTier } from "../../tests/story.ts";
import { all, one, openPage, type ParsedPage } from "./pages.ts";
import { aWholePublisher } from "./states.ts";

const service = await startManagement({ unlimited: true, sales: { trialDays: 14 } });
const whole = await aWholePublisher(service);
const { publisher, gold, silver } = whole;
const offer = `/advertise/${publisher.workspace.slug}`;
const MISSING = [
  "nobody",
  "ws_01kahm4sw4fksra52s8bd8xkd1",
  "x".repeat(150),
  "UPPER",
  "%00",
  "..;",
  "a'b",
  "-",
];

async function buy(priceId: string, at = offer) {
  return await openPage(service, at, new URLSearchParams({ tierPriceId: priceId }));
}

/** The words of the buttons that buy. */
function buying(page: ParsedPage): string[] {
  return all(page, "button", "class", "primary").map(({ text }) => text);
}

describe("the placements for sale", () => {
  it("shows the tiers with descriptions, features and prices, by slug as by id", async () => {
    const bySlug = await openPage(service, offer);
    const byId = await openPage(service, `/advertise/${publisher.workspace.id}`);

    expect(bySlug.status).toBe(200);
    expect(byId.text).toBe(bySlug.text);
    expect(bySlug.title).toBe("Advertise on Heron Weekly");
    expect(all(bySlug, "h2").map(({ text }) => text)).toEqual([
      "Placements",
      "Gold",
      "Silver",
      "Friends",
      "See your ad before you pay",
      "How ads look here",
      "What you submit",
      "What happens next",
      "Already advertising here?",
    ]);
    expect(bySlug.text).toContain("The large place beside every article.");
    for (const line of ["Included: On every page", "One advertiser at a time", "Not included: Video"]) {
      expect(all(bySlug, "li").map(({ text }) => text.replace(/^[✓✕•]/, ""))).toContain(line);
    }
    expect(
      all(bySlug, "label", "class", "choice").map(({ text }) => text.replace(/\s+/g, " ").trim()),
    ).toEqual(["$49/month", "$490/year save 16%", "$19/month", "$190/year save 16%"]);
    expect(bySlug.text).toContain("Free");
  });

  it("has no words on its buttons but what they do, and the tier for those who hear them", async () => {
    const page = await openPage(service, offer);

    const unseen = all(page, "span", "class", "unseen").map(({ text }) => text);
    expect(unseen).toEqual(expect.arrayContaining([" Gold", " Silver", " Friends"]));
  });

  it("folds many placements to a line each, with the price, and leaves a few open", async () => {
    const seller = await aPublisher(service, "Many Weekly");
    const tiers = [];
    for (let count = 1; count <= 7; count += 1) tiers.push(await aTier(seller, { name: `Place ${count}` }));

    const page = await openPage(service, `/advertise/${seller.workspace.slug}`);
    const few = await openPage(service, offer);

    const lines = all(page, "summary").map(({ text }) => text);
    expect(lines.slice(0, 7)).toEqual(tiers.map(({ name }) => `${name} $49/month`));
    for (const { id } of tiers) expect(all(page, "form", "id", `tier-${id}`)).toHaveLength(1);
    expect(all(few, "details", "name", "tiers")).toEqual([]);
  });

  it("shows the publisher's words about the site as text, and its logo", async () => {
    const seller = await aPublisher(service, "Kit Weekly");
    await aTier(seller);
    const mediaKit = {
      description: "Letters about <b>clay</b>.\nEvery Thursday.",
      audience: "8,000 potters.",
      topics: ["Ceramics", "<script>alert(1)</script>"],
      faq: [{ question: "When is the next issue?", answer: "On <i>Thursday</i>." }],
    };
    const { status } = await seller.person.caller.request("PATCH", `${seller.path}/settings`, { mediaKit });
    const page = await openPage(service, `/advertise/${seller.workspace.slug}`);

    expect(status).toBe(200);
    for (const words of [
      "Letters about <b>clay</b>. Every Thursday.",
      "8,000 potters.",
      "Ceramics",
      "<script>alert(1)</script>",
      "On <i>Thursday</i>.",
    ]) {
      expect(page.text).toContain(words);
    }
    expect(one(page, "summary").text).toBe("When is the next issue?");
    expect(all(page, "i")).toEqual([]);
  });

  it("tells of the trial where there is something to pay", async () => {
    const page = await openPage(service, offer);

    expect(page.text.match(/First 14 days free\./g)).toHaveLength(2);
    expect(buying(page)).toEqual(["Try Gold", "Try Silver", "Get Friends"]);
  });

  it("chooses the prices of the billing period that is asked for, in every tier that has one", async () => {
    const yearly = await openPage(service, `${offer}?billing=1-year`);
    const usual = await openPage(service, `${offer}?billing=%3Cscript%3E`);

    const chosen = (page: typeof yearly) =>
      all(page, "input", "checked").map((input) => input.attributes.value);
    expect(chosen(yearly)).toEqual([gold.prices[1]?.id, silver.prices[1]?.id]);
    expect(chosen(usual)).toEqual([gold.prices[0]?.id, silver.prices[0]?.id]);
    expect(one(yearly, "a", "aria-current").text).toBe("Yearly");
    expect(all(yearly, "a", "data-period").map(({ attributes }) => attributes.href)).toEqual([
      `${offer}?billing=1-month`,
      `${offer}?billing=1-year`,
    ]);
  });

  it("leaves out archived tiers and prices, and says so when none is left", async () => {
    const small = await aPublisher(service, "Small Weekly");
    const sold = await aTier(small, { initialPrices: [{ amount: 100, intervalCount: 3, currency: "usd" }] });
    const before = await openPage(service, `/advertise/${small.workspace.slug}`);
    await small.caller.request("DELETE", `${small.path}/tiers/${sold.id}`);

    const after = await openPage(service, `/advertise/${small.workspace.slug}`);

    expect(before.text).toContain("$1 every 3 months");
    expect(after.status).toBe(200);
    expect(after.text).toContain("Nothing for sale right now");
    expect(buying(after)).toEqual([]);
  });

  it("shows the stats of its audience only if the publisher does", async () => {
    const page = await openPage(service, offer);

    expect(page.text).not.toContain("Visitors");
  });

  it("is found by search engines, and loads nothing but its own style and script", async () => {
    const page = await openPage(service, offer);

    expect(all(page, "meta", "name", "robots")).toEqual([]);
    expect(page.headers.get("cache-control")).toBe("no-cache");
    const policy = page.headers.get("content-security-policy")?.split("; ");
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("connect-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(all(page, "style")).toEqual([]);
    expect(all(page, "script").every(({ attributes, text }) => "src" in attributes && text === "")).toBe(
      true,
    );
    expect(page.elements.filter(({ attributes }) => "style" in attributes)).toEqual([]);
    const style = one(page, "link", "rel", "stylesheet").attributes.href ?? "";
    const loaded = await fetch(`${service.origin}${style}`);
    expect(loaded.headers.get("content-type")).toBe("text/css; charset=utf-8");
    expect(loaded.headers.get("cache-control")).toContain("immutable");
  });

  it.each(MISSING)("answers 404 with a page for %s", async (name) => {
    const page = await openPage(service, `/advertise/${name}`);

    expect(page.status).toBe(404);
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(one(page, "h1").text).toBe("Page not found");
  });

  it("answers other paths and methods below it with a page, too", async () => {
    const deeper = await openPage(service, `${offer}/nothing/here`);
    const json = await fetch(`${service.origin}${offer}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{}",
    });

    expect([deeper.status, one(deeper, "h1").text]).toEqual([404, "Page not found"]);
    expect([json.status, json.headers.get("content-type")]).toEqual([415, "text/html; charset=utf-8"]);
  });
});

describe("buying", () => {
  it("leads to the processor's page, whose way back is the offer, and on to the session's page", async () => {
    const answer = await buy(gold.prices[1]?.id ?? "");

    const checkout = answer.headers.get("location") ?? "";
    expect(answer.status).toBe(303);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const page = await openPage(service, new URL(checkout).pathname);
    expect(page.text).toContain("$490.00");
    expect(all(page, "a").map(({ attributes }) => attributes.href)).toContain(`${service.origin}${offer}`);
    const paid = await fetch(`${checkout}/complete`, {
      method: "POST",
      redirect: "manual",
      body: new URLSearchParams({ email: "ada@example.com", name: "Ada" }),
    });
    const session = checkout.split("/").at(-1);
    expect(paid.headers.get("location")).toBe(
      `${service.origin}/advertise/${publisher.workspace.id}/checkout/${session}`,
    );
  });

  it("says what the API says of a price that is not on sale, and offers the others", async () => {
    const seller = await aPublisher(service, "Other Weekly");
    const archived = await aTier(seller);
    await aTier(seller, { name: "Silver" });
    const at = `/advertise/${seller.workspace.slug}`;
    await seller.caller.request("DELETE", `${seller.path}/tiers/${archived.id}`);

    const refused = await buy(archived.prices[0]?.id ?? "", at);
    const unknown = await buy("price_01kahm4sw4fksra52s8bd8xkd1", at);
    const others = await buy(gold.prices[0]?.id ?? "", at);
    const none = await openPage(service, at, new URLSearchParams());

    expect([refused, unknown, others, none].map(({ status }) => status)).toEqual([409, 404, 404, 404]);
    expect(one(refused, "div", "role", "alert").text).toContain("This price is no longer on sale.");
    expect(one(unknown, "div", "role", "alert").text).toContain("This price is no longer on sale");
    expect(buying(refused)).toEqual(["Try Silver"]);
  });

  it("says that nothing was charged when the processor does not answer", async () => {
    const page = await service.processor.while("failing", () => buy(silver.prices[0]?.id ?? ""));

    expect(page.status).toBe(502);
    expect(one(page, "div", "role", "alert").text).toContain("You weren't charged.");
    expect(buying(page)).toHaveLength(3);
  });
});
