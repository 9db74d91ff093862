import type { Locator } from "playwright-core";
import { expect, it } from "vitest";
import { ad } from "#libs/contract/ad.ts";
import { submittedAd } from "#libs/contract/checkout.ts";
import {
  aField,
  anApprovedAd,
  aPendingAd,
  aPublisher,
  type Publisher,
} from "../../../services/management/tests/story.ts";
import { expectAccessible, openPage, startProduct } from "../index.ts";

const product = startProduct();
const websiteUrl = "https://coffee.example";

async function openAs({ person }: Publisher) {
  const opened = await openPage(product.origin);
  const cookies = person.cookie.split("; ").map((one) => {
    const at = one.indexOf("=");
    return { name: one.slice(0, at), value: one.slice(at + 1), url: product.origin };
  });
  await opened.context.addCookies(cookies);
  return opened;
}

type Submitted = Awaited<ReturnType<typeof aPendingAd>>;

async function submit({ checkout }: Submitted, name: string, meta: unknown[] = []): Promise<void> {
  await checkout.caller.ok(submittedAd, "POST", `${checkout.path}/ad`, { name, websiteUrl, meta });
}

/** A pending ad with a name of its own. */
async function waiting(publisher: Publisher, name: string) {
  const pending = await aPendingAd(product, publisher);
  await submit(pending, name);
  return pending;
}

function addressOf({ workspace }: Publisher, { id }: { readonly id: string }): string {
  return `/w/${workspace.id}/ads/${id}`;
}

async function expectFocus(target: Locator): Promise<void> {
  await expect.poll(() => target.evaluate((element) => element === document.activeElement)).toBe(true);
}

it("refuses to approve what the advertiser has changed meanwhile, and shows the new content", async () => {
  const publisher = await aPublisher(product);
  const pending = await waiting(publisher, "Harmless");
  const edited = await anApprovedAd(product, publisher);
  await submit(edited, "Harmless edit");
  const { page, expectProblems } = await openAs(publisher);
  const outdated = page.getByRole("alert").filter({ hasText: "The advertiser changed this ad meanwhile" });

  await page.goto(addressOf(publisher, pending));
  await page.getByRole("heading", { level: 1, name: "Harmless" }).waitFor();
  await submit(pending, "Swapped");
  await page.getByRole("button", { name: "Approve" }).click();
  await page.getByRole("heading", { level: 1, name: "Swapped" }).waitFor();
  await expectFocus(outdated);
  expect(await publisher.caller.ok(ad, "GET", pending.path)).toMatchObject({ status: "Pending" });
  await page.getByRole("button", { name: "Approve" }).click();
  await page.getByText("Ad approved").waitFor();

  await page.goto(addressOf(publisher, edited));
  const edit = page.getByRole("region", { name: "Proposed edit" });
  await edit.getByText("Harmless edit").first().waitFor();
  await submit(edited, "Swapped edit");
  await edit.getByRole("button", { name: "Approve edit" }).click();
  await edit.getByText("Swapped edit").first().waitFor();
  await expectFocus(outdated);
  await edit.getByRole("button", { name: "Approve edit" }).click();
  await page.getByRole("heading", { level: 1, name: "Swapped edit" }).waitFor();
  expectProblems(/status of 409/);
});

it("offers after a decision what is next, and never loses the focus", async () => {
  const publisher = await aPublisher(product);
  const first = await waiting(publisher, "First ad");
  await waiting(publisher, "Second ad");
  const { page } = await openAs(publisher);
  const heading = page.getByRole("heading", { level: 1 });

  await page.goto(addressOf(publisher, first));
  await page.getByRole("button", { name: "Approve" }).click();
  const next = page.getByRole("link", { name: "Next to review: Second ad" });
  await expectFocus(next);
  await expectAccessible(page);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Second ad" }).waitFor();
  await expectFocus(heading);

  await page.getByRole("button", { name: "Request changes" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Note to the advertiser").fill("Which roast?");
  await dialog.getByRole("button", { name: "Request changes" }).click();
  await page.getByText("Nothing else is waiting for review.").waitFor();
  await expectFocus(heading);

  await page.goto(addressOf(publisher, first));
  for (const action of ["Pause", "Resume"]) {
    await page.getByRole("button", { name: action }).click();
    await page.getByRole("dialog").getByRole("button", { name: action }).click();
    await page.getByText(`Ad ${action.toLowerCase()}d`).waitFor();
    await expectFocus(heading);
  }
  const actions = page.getByRole("button", { name: /^(Pause|Resume|Reject|More actions)$/ });
  await expect.poll(() => actions.allTextContents()).toEqual(["Pause", ""]);
});

it("takes the publisher's own values on the page of an ad", async () => {
  const publisher = await aPublisher(product);
  await aField(publisher, { name: "Internal note", key: "note", isPublisherOnly: true });
  await aField(publisher, { name: "Rank", key: "rank", type: "Number", max: 5, isPublisherOnly: true });
  const pending = await aPendingAd(product, publisher);
  const { page, expectProblems } = await openAs(publisher);
  await page.goto(addressOf(publisher, pending));
  const form = page.getByRole("form", { name: "Internal fields" });

  await form.getByLabel("Internal note").fill("Came by Ada");
  await form.getByLabel("Rank").fill("6");
  await form.getByRole("button", { name: "Save" }).click();
  await form.getByText("Must be at most 5.").waitFor();
  await expectFocus(form.getByLabel("Rank"));
  await form.getByLabel("Rank").fill("4");
  await form.getByRole("button", { name: "Save" }).click();
  await page.getByText("Internal fields saved").waitFor();
  await page.reload();

  await expect.poll(() => form.getByLabel("Internal note").inputValue()).toBe("Came by Ada");
  expect(await form.getByLabel("Rank").inputValue()).toBe("4");
  await expectAccessible(page);
  const { meta } = await publisher.caller.ok(ad, "GET", pending.path);
  expect(new Set(meta.map(({ value }) => value))).toEqual(new Set(["Came by Ada", 4]));
  expectProblems(/status of 422/);
});

it("saves the publisher's values that were typed, and leaves others as somebody else has changed them", async () => {
  const publisher = await aPublisher(product);
  const note = await aField(publisher, { name: "Internal note", key: "note", isPublisherOnly: true });
  await aField(publisher, { name: "Rank", key: "rank", type: "Number", isPublisherOnly: true });
  const pending = await aPendingAd(product, publisher);
  const { page } = await openAs(publisher);
  await page.goto(addressOf(publisher, pending));
  const form = page.getByRole("form", { name: "Internal fields" });
  await form.getByLabel("Rank").fill("4");
  await publisher.caller.ok(ad, "PATCH", pending.path, { meta: [{ fieldId: note.id, value: "By Bo" }] });
  await page.getByRole("button", { name: "Approve" }).click();
  await page.getByText("Nothing else is waiting for review.").waitFor();

  await form.getByRole("button", { name: "Save" }).click();
  await page.getByText("Internal fields saved").waitFor();

  const { meta } = await publisher.caller.ok(ad, "GET", pending.path);
  expect(new Set(meta.map(({ value }) => value))).toEqual(new Set(["By Bo", 4]));
});

it("shows with a resubmission the own note and what has changed since", async () => {
  const publisher = await aPublisher(product);
  const tagline = await aField(publisher, { name: "Tagline" });
  const pending = await aPendingAd(product, publisher);
  await submit(pending, "Example Coffee", [{ fieldId: tagline.id, value: "Best roast of all" }]);
  await publisher.caller.ok(ad, "POST", `${pending.path}/request-changes`, { note: "Please claim less." });
  await submit(pending, "Example Coffee", [{ fieldId: tagline.id, value: "Good roast of all" }]);
  const { page } = await openAs(publisher);

  await page.goto(addressOf(publisher, pending));

  const since = page.getByRole("region", { name: "Changes since your note" });
  await since.getByText("Please claim less.").waitFor();
  const changed = since.getByRole("listitem");
  expect(await changed.count()).toBe(1);
  expect(await changed.locator("del").allTextContents()).toEqual(["Best"]);
  expect(await changed.locator("ins").allTextContents()).toEqual(["Good"]);
  await page.getByText("Waiting 1 minute").waitFor();
  await expectAccessible(page);
});

it("leads from the queue on the ads page to all that waits, edits too", async () => {
  const publisher = await aPublisher(product);
  for (const name of ["One", "Two", "Three", "Four", "Five"]) await waiting(publisher, `${name} new`);
  const edited = await anApprovedAd(product, publisher);
  await submit(edited, "The edit");
  const { page } = await openAs(publisher);

  await page.goto(`/w/${publisher.workspace.id}/ads`);
  const queue = page.getByRole("region", { name: "To review (6)" });
  await queue.getByText("1 more.").waitFor();
  expect(await queue.getByText("The edit").count()).toBe(0);
  await queue.getByRole("link", { name: "Show all" }).click();

  await page.getByRole("heading", { level: 1, name: "To review" }).waitFor();
  await page.getByText("6 submissions").waitFor();
  await expectAccessible(page);
  await page.getByRole("link", { name: "Review The edit" }).click();
  await page.getByRole("region", { name: "Proposed edit" }).waitFor();
});

it("goes through the queue by keys, with a saved reply as the note", async () => {
  const publisher = await aPublisher(product);
  const first = await aPendingAd(product, publisher);
  const second = await aPendingAd(product, publisher);
  await publisher.caller.request("PATCH", `${publisher.path}/settings`, {
    savedReplies: ["Please use fewer capitals."],
  });
  const { page } = await openAs(publisher);
  await page.goto(addressOf(publisher, first));
  await page.getByText("1 of 2 to review").waitFor();

  await page.keyboard.press("j");
  await page.getByText("2 of 2 to review").waitFor();
  await expectAccessible(page);
  await page.keyboard.press("k");
  await page.getByText("1 of 2 to review").waitFor();
  await page.keyboard.press("r");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Use a saved reply" }).click();
  await page.getByRole("menuitem", { name: "Please use fewer capitals." }).click();
  await expect
    .poll(() => dialog.getByLabel("Note to the advertiser").inputValue())
    .toBe("Please use fewer capitals.");
  // While a dialog is open, no key decides behind it.
  await dialog.getByRole("button", { name: "Cancel" }).focus();
  await page.keyboard.press("a");
  await dialog.getByRole("button", { name: "Request changes" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.getByRole("link", { name: /^Next to review/ }).waitFor();
  await page.keyboard.press("j");
  await page.getByText("1 of 1 to review").waitFor();
  await page.getByRole("button", { name: "Turn keys off" }).click();
  await page.keyboard.press("a");
  await page.getByRole("button", { name: "Turn keys on" }).click();
  await page.keyboard.press("a");
  await page.getByText("Ad approved").waitFor();

  const [asked, approved] = await Promise.all(
    [first, second].map(({ path }) => publisher.caller.ok(ad, "GET", path)),
  );
  expect([asked?.status, asked?.rejectionNote]).toEqual(["Pending", "Please use fewer capitals."]);
  expect(approved?.status).toBe("Approved");
});
