import { describe, expect, it } from "vitest";
import { submittedAd } from "#libs/contract/checkout.ts";
import { startManagement } from "../../tests/management.ts";
import { aField, aPaidCheckout, aPublisher, aTier } from "../../tests/story.ts";
import { all, one, openPage, type ParsedPage } from "./pages.ts";
import { aWholeAd, aWholePublisher, aWholeSubmission, pathOf } from "./states.ts";

const service = await startManagement({ unlimited: true });
const whole = await aWholePublisher(service);
const { publisher, gold } = whole;

async function aBuyer() {
  const paid = await aPaidCheckout(service, publisher, gold.prices[0]?.id ?? "");
  return { paid, page: pathOf(publisher, paid) };
}

/** The page's form as a browser would send it, unchanged. */
function formOn(page: ParsedPage): URLSearchParams {
  const form = new URLSearchParams();
  const fields = page.elements.filter(({ attributes }) => "name" in attributes);
  let select = "";
  for (const { name, attributes, text } of page.elements) {
    if (name === "select") {
      select = attributes.name ?? "";
      form.set(select, "");
    }
    if (name === "option" && "selected" in attributes) form.set(select, attributes.value ?? text);
    if (!fields.some((field) => field.attributes === attributes)) continue;
    if (name === "textarea") form.append(attributes.name ?? "", text.replace(/^\n/, ""));
    if (name !== "input" || (attributes.type === "checkbox" && !("checked" in attributes))) continue;
    form.append(attributes.name ?? "", attributes.value ?? "");
  }
  return form;
}

/** What is said to be wrong with the control of that name. */
function errorAt(page: ParsedPage, name: string): string {
  const control = page.elements.find(
    ({ attributes }) => attributes.name === name && attributes.type !== "hidden",
  );
  const ids = control?.attributes["aria-describedby"]?.split(" ") ?? [];
  return ids
    .filter((id) => id.endsWith("-error"))
    .map((id) => one(page, "p", "id", id).text)
    .join(" ");
}

it("has a control for each type, labelled, with its hint and its limits", async () => {
  const { page: path } = await aBuyer();

  const page = await openPage(service, path);

  const kinds = Object.fromEntries(
    page.elements
      .filter(({ attributes }) => attributes.name?.startsWith("meta.") && attributes.type !== "hidden")
      .map(({ name, attributes }) => [attributes.name, attributes.type ?? name]),
  );
  expect(kinds).toEqual({
    "meta.tagline": "text",
    "meta.about": "textarea",
    "meta.shop": "url",
    "meta.contact": "email",
    "meta.discount": "text",
    "meta.ships_abroad": "checkbox",
    "meta.category": "select",
    "meta.logo": "url",
    "meta.starts_on": "date",
    "meta.background": "text",
  });
  expect(all(page, "option").map(({ text }) => text)).toEqual(["None", "Coffee", "Tea & cake", "Other"]);
  const tagline = one(page, "input", "name", "meta.tagline").attributes;
  expect(tagline).toMatchObject({ id: "field-tagline", "data-most": "60", required: "" });
  expect(one(page, "p", "id", tagline["aria-describedby"]).text).toBe("One line below the name.");
  const labelled = all(page, "label").map(({ attributes }) => attributes.for);
  for (const { attributes } of all(page, "input", "id")) {
    if (attributes.type === "checkbox" || attributes.type === "file") continue;
    expect(labelled, attributes.id).toContain(attributes.id);
  }
  expect(one(page, "div", "data-image").attributes).toMatchObject({
    "data-grants": `/v1${path.slice(path.indexOf("/checkout")).replace("checkout", "checkout-sessions")}/uploads`,
    "data-max-bytes": "1000000",
    "data-types": "image/png,image/jpeg,image/webp,image/gif,image/avif",
  });
});

it("sends a value of every type, and the form of an edit sends the same again", async () => {
  const { paid, page: path } = await aBuyer();
  const { meta } = await aWholeSubmission(whole, paid);
  const keys = new Map(whole.fields.map(({ id, key }) => [id, key]));
  const form = new URLSearchParams({ name: "Example Coffee", websiteUrl: " https://www.coffee.example " });
  for (const { fieldId, value } of meta) form.append(`meta.${keys.get(fieldId)}`, String(value));

  const sent = await openPage(service, path, form);
  const first = await paid.caller.request("GET", paid.path);
  const again = await openPage(service, path, formOn(await openPage(service, `${path}/edit`)));
  const second = await paid.caller.request("GET", paid.path);

  expect([sent.status, sent.headers.get("location")]).toEqual([303, `${path}?saved=1`]);
  const submitted = submittedAd.parse(JSON.parse(first.text).ad);
  expect(submitted).toMatchObject({ name: "Example Coffee", websiteUrl: "https://www.coffee.example" });
  const byId = (one: { fieldId: string }, other: { fieldId: string }) =>
    one.fieldId.localeCompare(other.fieldId);
  expect(submitted.meta.toSorted(byId)).toEqual(meta.toSorted(byId));
  expect(again.status).toBe(303);
  expect(JSON.parse(second.text).ad.meta).toEqual(submitted.meta);
});

it("accepts empty optional fields, emptied defaults, and an unticked box as no", async () => {
  const { paid, page: path } = await aBuyer();
  const form = formOn(await openPage(service, path));
  form.set("name", "Example Coffee");
  form.set("websiteUrl", "https://coffee.example");
  form.set("meta.tagline", "Fresh");
  form.set("meta.background", "");
  form.set("meta.ships_abroad", "false");

  const sent = await openPage(service, path, form);

  expect(sent.status).toBe(303);
  const values = JSON.parse((await paid.caller.request("GET", paid.path)).text).ad.meta;
  expect(values.map(({ value }: { value: unknown }) => value).toSorted()).toEqual(["Fresh", false]);
});

describe("a form with mistakes", () => {
  it("says at each field what the contract says, all at once, keeps the values and begins with the first", async () => {
    const { page: path } = await aBuyer();
    const form = new URLSearchParams({
      name: "x",
      websiteUrl: "javascript:alert(1)",
      "meta.tagline": "y".repeat(61),
      "meta.shop": "nowhere",
      "meta.contact": "nobody",
      "meta.discount": "ninety",
      "meta.ships_abroad": "perhaps",
      "meta.category": "Cars",
      "meta.logo": "logo.png",
      "meta.starts_on": "tomorrow",
      "meta.background": "red",
    });

    const page = await openPage(service, path, form);

    expect(page.status).toBe(422);
    expect(page.title).toBe("Not submitted: Submit your ad – Heron Weekly");
    const said = Object.fromEntries([...form.keys()].map((name) => [name, errorAt(page, name)]));
    expect(said).toEqual({
      name: "Must have at least 2 characters.",
      websiteUrl: "Enter a web address, such as example.com.",
      "meta.tagline": "Must have at most 60 characters.",
      "meta.shop": "Enter a web address, such as example.com.",
      "meta.contact": "Must be an email address.",
      "meta.discount": "Must be a number.",
      "meta.ships_abroad": "Must be true or false.",
      "meta.category": "Must be one of the options.",
      "meta.logo": "Must be the http or https address of an image.",
      "meta.starts_on": "Must be a day, as YYYY-MM-DD.",
      "meta.background": "Must be a color, as #rrggbb.",
    });
    const focused = page.elements.filter(({ attributes }) => "autofocus" in attributes);
    expect(focused.map(({ attributes }) => attributes.name)).toEqual(["name"]);
    for (const name of ["name", "websiteUrl", "meta.tagline", "meta.discount", "meta.background"]) {
      const input = all(page, "input", "name", name).at(-1)?.attributes;
      expect([input?.value, input?.["aria-invalid"]], name).toEqual([form.get(name), "true"]);
    }
    const summary = one(page, "div", "role", "alert");
    expect(summary.text).toContain("Please fix the following:");
    for (const sentence of Object.values(said)) expect(summary.text).toContain(sentence);
  });

  it("asks for what is missing in a person's words", async () => {
    const { page: path } = await aBuyer();

    const page = await openPage(service, path, new URLSearchParams({ name: " ", websiteUrl: "" }));

    expect([errorAt(page, "name"), errorAt(page, "websiteUrl"), errorAt(page, "meta.tagline")]).toEqual([
      "Enter a name.",
      "Enter a web address, such as example.com.",
      "Enter a text.",
    ]);
  });

  it("begins with the first field that is wrong, and says only of it that it is", async () => {
    const { page: path } = await aBuyer();
    const form = new URLSearchParams({
      name: "Coffee",
      websiteUrl: "https://coffee.example",
      "meta.discount": "91",
    });

    const page = await openPage(service, path, form);

    expect(errorAt(page, "meta.tagline")).toBe("Enter a text.");
    expect(errorAt(page, "meta.discount")).toBe("Must be at most 90.");
    expect(errorAt(page, "name")).toBe("");
    const focused = page.elements.find(({ attributes }) => "autofocus" in attributes);
    expect(focused?.attributes.name).toBe("meta.tagline");
    const links = all(page, "a").map(({ attributes }) => attributes.href);
    expect(links).toEqual(expect.arrayContaining(["#field-tagline", "#field-discount"]));
  });

  it("refuses an image that nobody has uploaded, at its field", async () => {
    const { page: path } = await aBuyer();
    const form = new URLSearchParams({
      name: "Coffee",
      websiteUrl: "https://coffee.example",
      "meta.tagline": "Fresh",
      "meta.logo": `${service.origin}/uploads/${publisher.workspace.id}/${"0".repeat(32)}.png`,
    });

    const page = await openPage(service, path, form);

    expect([page.status, errorAt(page, "meta.logo")]).toEqual([
      422,
      "No image has been uploaded to this address.",
    ]);
  });

  it("asks for a field that came to be while the form was open", async () => {
    const seller = await aPublisher(service, "Other Weekly");
    const sold = await aTier(seller);
    const paid = await aPaidCheckout(service, seller, sold.prices[0]?.id ?? "");
    const form = formOn(await openPage(service, pathOf(seller, paid)));
    form.set("name", "Coffee");
    form.set("websiteUrl", "https://coffee.example");
    await aField(seller, { name: "Terms", type: "Switch", isRequired: true });

    const page = await openPage(service, pathOf(seller, paid), form);

    expect([page.status, errorAt(page, "meta.terms")]).toEqual([422, "Choose yes or no."]);
  });

  it("takes no form that is larger than any ad", async () => {
    const { page: path } = await aBuyer();

    const page = await openPage(service, path, new URLSearchParams({ name: "x".repeat(140_000) }));

    expect([page.status, one(page, "h1").text]).toEqual([413, "The form is too long"]);
  });
});

it("shows an ad whose stats cannot be read", async () => {
  const ad = await aWholeAd(service, whole);
  await ad.approve();

  const page = await openPage(service, ad.page);

  expect(page.status).toBe(200);
  expect(page.text).toContain("Stats aren't available right now.");
});
