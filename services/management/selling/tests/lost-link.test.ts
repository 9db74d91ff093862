import { expect, it } from "vitest";
import { submittedAd } from "#libs/contract/checkout.ts";
import { mailsTo } from "../../mail/tests/sent-mails.ts";
import { startManagement } from "../../tests/management.ts";
import { aPaidCheckout, aPublisher, aTier } from "../../tests/story.ts";
import { all, one, openPage, type ParsedPage } from "./pages.ts";
import { pathOf } from "./states.ts";

let later = 0;
const service = await startManagement({ now: () => Date.now() + later, behindProxy: true });
const publisher = await aPublisher(service, "Heron Weekly");
const offer = `/advertise/${publisher.workspace.slug}`;
const { prices } = await aTier(publisher);
const HOUR_MS = 60 * 60_000;
const SAME = "If this address has bought advertising here, we've sent the link.";
const clients = Array.from({ length: 250 }, (_none, n) => `192.0.2.${n}`).values();

/** An advertiser with an ad in review and a purchase without an ad. */
async function anAdvertiser(email = `agency-${crypto.randomUUID()}@example.com`) {
  const checkouts = [
    await aPaidCheckout(service, publisher, prices[0]?.id ?? "", email),
    await aPaidCheckout(service, publisher, prices[0]?.id ?? "", email),
  ] as const;
  const [first, second] = checkouts;
  await second.caller.request("GET", second.path);
  await first.caller.ok(submittedAd, "POST", `${first.path}/ad`, {
    name: "Fresh beans",
    websiteUrl: "https://coffee.example",
  });
  return { email, first, second };
}

/** Asks for the link from a client of its own, or from the one given. */
async function ask(email: string, client = clients.next().value ?? "", at = offer) {
  const response = await fetch(`${service.origin}${at}/link`, {
    method: "POST",
    redirect: "manual",
    headers: { "x-forwarded-for": client },
    body: new URLSearchParams({ email }),
  });
  const { date: _date, "x-request-id": _id, ...headers } = Object.fromEntries(response.headers);
  return { status: response.status, headers, text: await response.text() };
}

/** The links to all their ads that somebody has been sent, as paths. */
async function linksTo(email: string): Promise<string[]> {
  const mails = await mailsTo(service, email);
  return mails.flatMap(({ subject, text }) =>
    subject === "Your ads on Heron Weekly" ? (/\/advertise\/\S+\/ads\/\S+/.exec(text) ?? []).slice(0, 1) : [],
  );
}

it("emails an advertiser one link to all their ads, each with its status and the way to its page", async () => {
  const { email, first, second } = await anAdvertiser();

  const asked = await ask(` ${email.toUpperCase()} `);
  const [link = "", ...more] = await linksTo(email);
  const page = await openPage(service, link);

  expect(asked.status).toBe(200);
  expect(more).toEqual([]);
  expect(page.status).toBe(200);
  expect(one(page, "h1").text).toBe("Your ads on Heron Weekly");
  expect(
    all(page, "h2")
      .map(({ text }) => text)
      .toSorted(),
  ).toEqual(["Fresh beans", "No ad yet"]);
  expect(
    all(page, "p")
      .flatMap(({ attributes, text }) => (attributes.class?.startsWith("badge") ? [text] : []))
      .toSorted(),
  ).toEqual(["Ad missing", "In review"]);
  const hrefs = page.elements.map(({ attributes }) => attributes.href);
  for (const checkout of [first, second]) expect(hrefs).toContain(pathOf(publisher, checkout));
});

it("answers an address that has bought nothing in the same words, and sends it nothing", async () => {
  const { email } = await anAdvertiser();

  const known = await ask(email);
  const unknown = await ask("nobody-of-this-name@example.com");

  expect(known.text).toContain(SAME);
  expect(unknown).toEqual(known);
  expect(await linksTo("nobody-of-this-name@example.com")).toEqual([]);
});

it.each(["beans&milk@example.com", "beans@müller.example"])(
  "takes every address that can buy: %s",
  async (typed) => {
    const mailed = typed.replace("müller", "xn--mller-kva");
    await anAdvertiser(typed);

    const { status } = await ask(typed);

    expect(status).toBe(200);
    expect(await linksTo(mailed)).toHaveLength(1);
  },
);

it("finds the advertiser of the workspace that was asked, and of no other", async () => {
  const { email } = await anAdvertiser();
  const neighbour = await aPublisher(service, "Magpie Weekly");

  const there = await ask(email, undefined, `/advertise/${neighbour.workspace.slug}`);
  const sent = await linksTo(email);
  await ask(email);
  const [link = ""] = await linksTo(email);
  const elsewhere = await openPage(service, link.replace(publisher.workspace.id, neighbour.workspace.id));

  expect(there.status).toBe(200);
  expect(sent).toEqual([]);
  expect(elsewhere.status).toBe(404);
  expect(elsewhere.text).not.toContain("Fresh beans");
});

it("sends one address at most three links an hour, and says the same after that", async () => {
  const { email } = await anAdvertiser();
  const answers = [];
  for (let n = 0; n < 5; n += 1) {
    answers.push(await ask(email));
    await linksTo(email);
  }

  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(await linksTo(email)).toHaveLength(3);
});

it("sends one address at most ten links an hour, in however many workspaces it is known", async () => {
  const email = `known-${crypto.randomUUID()}@example.com`;
  for (const name of ["Wren", "Kite", "Rook", "Teal"]) {
    const seller = await aPublisher(service, `${name} Weekly`);
    const sold = await aTier(seller);
    const bought = await aPaidCheckout(service, seller, sold.prices[0]?.id ?? "", email);
    await bought.caller.request("GET", bought.path);
    for (let n = 0; n < 3; n += 1) {
      await ask(email, undefined, `/advertise/${seller.workspace.slug}`);
      await mailsTo(service, email);
    }
  }

  const subjects = (await mailsTo(service, email)).map(({ subject }) => subject);
  expect(subjects.filter((subject) => subject.startsWith("Your ads on "))).toHaveLength(10);
});

it("takes ten requests in ten minutes of one client, whatever addresses they name", async () => {
  const answers = [];
  for (let n = 0; n < 12; n += 1) answers.push(await ask(`person-${n}@example.net`, "198.51.100.7"));

  expect(answers.map(({ status }) => status)).toEqual([...Array(10).fill(200), 429, 429]);
});

it("keeps only a hash of the link, which works for an hour and again until then, and not after", async () => {
  const { email } = await anAdvertiser();
  await ask(email);
  const [link = ""] = await linksTo(email);
  const token = link.split("/").at(-1) ?? "";
  const { rows } = await service.database.pool.query(
    "select to_jsonb(l)::text as row from advertiser_links l",
  );

  const pages = [await openPage(service, link), await openPage(service, link)];
  const guess = await openPage(service, link.replace(token, `${token.slice(0, -1)}_`));
  later = HOUR_MS;
  const late = await openPage(service, link);
  later = 0;

  expect(token.length).toBeGreaterThanOrEqual(43);
  expect(rows.some(({ row }) => row.includes(token))).toBe(false);
  expect(pages.map(({ status }) => status)).toEqual([200, 200]);
  expectPrivate(pages[0]);
  for (const page of [guess, late]) {
    expect([page.status, one(page, "h1").text]).toEqual([404, "This link has expired"]);
    expect(one(page, "form", "method", "post").attributes.action).toBe(`${offer}/link`);
  }
});

function expectPrivate(page: ParsedPage | undefined): void {
  expect(page?.headers.get("cache-control")).toBe("no-store");
  expect(page?.headers.get("referrer-policy")).toBe("no-referrer");
  expect(page?.headers.get("x-robots-tag")).toBe("noindex, nofollow");
  expect(page?.headers.get("content-security-policy")).toContain("default-src 'none'");
}

it("offers the form on the offer, on a page of its own and where a session is unknown or has expired", async () => {
  const started = await fetch(`${service.origin}${publisher.path}/checkout-sessions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ tierPriceId: prices[0]?.id }),
  });
  const { sessionId }: { sessionId: string } = JSON.parse(await started.text());
  await service.processor.stripe.checkout.sessions.expire(sessionId);

  const pages = {
    offer: await openPage(service, offer),
    own: await openPage(service, `${offer}/link`),
    unknown: await openPage(service, pathOf(publisher, { sessionId: "cs_test_0000000000000000" })),
    expired: await openPage(service, pathOf(publisher, { sessionId })),
  };

  for (const [name, page] of Object.entries(pages)) {
    expect(one(page, "input", "name", "email").attributes.type, name).toBe("email");
    expect(one(page, "form", "action", `${offer}/link`).attributes.method, name).toBe("post");
  }
  expect(pages.unknown.status).toBe(404);
});

it("asks for an email address where something else was typed", async () => {
  const page = await openPage(service, `${offer}/link`, new URLSearchParams({ email: "coffee" }));

  expect(page.status).toBe(422);
  expect(page.text).toContain("Enter an email address, such as you@example.com.");
  expect(one(page, "input", "name", "email").attributes).toMatchObject({
    value: "coffee",
    "aria-invalid": "true",
    "aria-describedby": "link-error",
    autofocus: "",
  });
});
