import { expect, it } from "vitest";
import { isWebUrl } from "#libs/domain/web-url.ts";
import { HOSTILE_BODIES, HOSTILE_IDS, HOSTILE_QUERIES, HOSTILE_VALUES } from "../../tests/hostile.ts";
import { startManagement } from "../../tests/management.ts";
import { aField, aPaidCheckout, aPublisher, aTier } from "../../tests/story.ts";
import { one, openPage, type ParsedPage } from "./pages.ts";
import { pathOf } from "./states.ts";

const service = await startManagement({ unlimited: true });

/** Texts that do harm where they are not escaped. Each is short enough for every field. */
const TEXTS = [
  "<script>alert(1)</script><!-- <style>*{display:none}",
  `"><img src=x onerror=alert(1)>' autofocus onfocus='alert(1)`,
  "</textarea></title></option></select><svg onload=alert(1)>",
  "\u0024{alert(1)}{{7*7}}&lt;b&gt;&#60; \u05e2\u05d1\u05e8\u05d9\u05ea evil",
];
const FORM = "application/x-www-form-urlencoded";
const OWN_ELEMENTS = new Set(
  "html head meta title link script noscript body a p strong header img span main div h1 h2 form input label fieldset legend select option textarea button aside article section dl dt dd ul ol li nav blockquote details summary progress svg rect figure figcaption footer".split(
    " ",
  ),
);

/** Fails where anything of a stranger's has become more than text. */
function expectTextOnly(page: ParsedPage): void {
  for (const { name, attributes, text } of page.elements) {
    expect(OWN_ELEMENTS, name).toContain(name);
    if (name === "script")
      expect([text, attributes.src]).toEqual(["", expect.stringMatching(/^\/advertise\/-\//)]);
    for (const [attribute, value] of Object.entries(attributes)) {
      expect(attribute).not.toMatch(/^on|^style$|^srcdoc$|^formaction$/);
      if (!["href", "src", "action"].includes(attribute)) continue;
      expect(/^[/#]/.test(value) || isWebUrl(value), `${attribute}="${value}"`).toBe(true);
    }
  }
}

/** With what the contract allows in each place. */
async function aHostileStory(text: string) {
  const publisher = await aPublisher(service, text);
  const sold = await aTier(publisher, {
    name: text,
    description: text,
    features: [
      { label: text, type: "negative" },
      { label: text, type: "positive" },
    ],
    initialPrices: [
      { amount: 100, intervalCount: 1, currency: "usd" },
      { amount: 1000, intervalCount: 1, currency: "usd", interval: "Year" },
    ],
  });
  const common = { description: text, placeholder: text };
  const fields = [
    await aField(publisher, { ...common, name: text, key: "line", type: "Text", default: text }),
    await aField(publisher, { ...common, name: text, key: "area", type: "Textarea", default: text }),
    await aField(publisher, {
      ...common,
      name: text,
      key: "choice",
      type: "Select",
      options: [text],
      default: text,
    }),
  ];
  const paid = await aPaidCheckout(service, publisher, sold.prices[0]?.id ?? "");
  return {
    publisher,
    fields,
    paid,
    page: pathOf(publisher, paid),
    offer: `/advertise/${publisher.workspace.slug}`,
  };
}

it.each(TEXTS)("shows %j as text wherever somebody may write it", async (text) => {
  const { publisher, fields, paid, page: path, offer } = await aHostileStory(text);
  const form = new URLSearchParams({ name: text, websiteUrl: "https://coffee.example/?q=%22%3E" });
  for (const { key } of fields) form.set(`meta.${key}`, text);

  const pages = [await openPage(service, offer), await openPage(service, path)];
  pages.push(
    await openPage(service, path, new URLSearchParams({ ...Object.fromEntries(form), websiteUrl: text })),
  );
  const sent = await openPage(service, path, form);
  const { ad } = JSON.parse((await paid.caller.request("GET", paid.path)).text);
  const adPath = `${publisher.path}/ads/${ad.id}`;
  const decide = (action: string) => publisher.caller.request("POST", `${adPath}/${action}`, { note: text });
  pages.push(await openPage(service, path));
  await decide("request-changes");
  pages.push(await openPage(service, path));
  await publisher.caller.request("POST", `${adPath}/approve`);
  await openPage(service, path, form);
  await decide("revision/request-changes");
  pages.push(await openPage(service, path), await openPage(service, `${path}/edit`));
  await decide("reject");
  const rejected = await openPage(service, path);
  pages.push(rejected);

  expect(sent.status).toBe(303);
  for (const page of pages) {
    expectTextOnly(page);
    expect(page.text).toContain(text);
  }
  expect(one(rejected, "blockquote").text).toBe(text);
  expect(rejected.title).toBe(`Rejected: ${text} – ${text}`);
});

const ADDRESSES = [
  "javascript:alert(1)",
  "data:text/html,x",
  "JaVaScRiPt:alert(1)",
  "//evil.example",
  "vbscript:x",
];

it.each(ADDRESSES)("links nowhere and loads nothing when a stored address is %s", async (address) => {
  const { publisher, fields, paid, page: path, offer } = await aHostileStory("Example");
  const logo = await aField(publisher, { name: "Logo", type: "Image" });
  const shop = await aField(publisher, { name: "Shop", type: "Url" });
  await openPage(
    service,
    path,
    new URLSearchParams({ name: "Coffee", websiteUrl: "https://coffee.example" }),
  );
  const { db } = service.services;
  const meta = JSON.stringify({ [logo.id]: address, [shop.id]: address, [fields[0]?.id ?? ""]: address });
  await db
    .updateTable("ads")
    .set({ website_url: address, meta })
    .where("workspace_id", "=", publisher.workspace.id)
    .execute();
  await db
    .updateTable("workspaces")
    .set({ website_url: address, favicon_url: address })
    .where("id", "=", publisher.workspace.id)
    .execute();

  const pages = [
    await openPage(service, path),
    await openPage(service, `${path}/edit`),
    await openPage(service, offer),
  ];

  expect(JSON.parse((await paid.caller.request("GET", paid.path)).text).ad.websiteUrl).toBe(address);
  for (const page of pages) expectTextOnly(page);
  expect(pages[0]?.text).toContain(address);
});

it("takes file names of any kind for what they are: nothing of them is kept or shown", async () => {
  const { paid, publisher } = await aHostileStory("Example");
  await aField(publisher, { name: "Logo", type: "Image" });
  const granted = await paid.caller.request("POST", `${paid.path}/uploads`, {
    fileName: `"><img src=x onerror=alert(1)>.png`,
    contentType: "image/png",
    contentLength: 10,
  });
  const { publicUrl } = JSON.parse(granted.text);

  const page = await openPage(
    service,
    pathOf(publisher, paid),
    new URLSearchParams({ name: "Coffee", websiteUrl: "https://coffee.example", "meta.logo": publicUrl }),
  );

  expect(publicUrl).toMatch(/\/[0-9a-f]{32}\.png$/);
  expect(page.status).toBe(422);
  expectTextOnly(page);
});

it("answers nothing with a failure of its own, whatever is sent", async () => {
  const { paid, page: path, offer, fields } = await aHostileStory("Example");
  const names = ["tierPriceId", "name", "websiteUrl", "meta", ...fields.map(({ key }) => `meta.${key}`)];
  const forms = HOSTILE_VALUES.map((value) => {
    const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
    return [new URLSearchParams(names.map((name) => [name, text])).toString(), FORM] as const;
  });
  const posts = [...forms, ...HOSTILE_BODIES, ["%", FORM], ["%ff=%zz&name", FORM], ["=&=&&", FORM]] as const;

  const answers: [string, number][] = [];
  for (const id of HOSTILE_IDS) {
    for (const at of [`/advertise/${id}`, `${offer}/checkout/${id}`, `${offer}/checkout/${id}/billing`]) {
      answers.push([at, (await paid.caller.request("GET", at)).status]);
    }
  }
  for (const query of [...HOSTILE_QUERIES, "billing[a]=1", "days[]=7&days=7", "look=1e9", "saved=%00"]) {
    answers.push([query, (await paid.caller.request("GET", `${offer}?${query}`)).status]);
    answers.push([query, (await paid.caller.request("GET", `${path}?${query}`)).status]);
  }
  for (const at of [offer, path]) {
    for (const [body, type] of posts) {
      const { status } = await paid.caller.request("POST", at, body, { "content-type": type });
      answers.push([`${at} ${type} ${body.slice(0, 100)}`, status]);
    }
  }

  expect(answers.filter(([, status]) => status >= 500)).toEqual([]);
});
