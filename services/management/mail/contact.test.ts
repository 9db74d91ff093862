import { expect, it } from "vitest";
import { workspaceSettings } from "#libs/contract/settings.ts";
import { openPage } from "../selling/tests/pages.ts";
import { mailTo } from "../tests/joining.ts";
import { startManagement } from "../tests/management.ts";
import { aPendingAd, aPublisher } from "../tests/story.ts";

const service = await startManagement({ unlimited: true });
const CONTACT = "ads@heron.example";

async function aReachablePublisher(contactEmail: string | null) {
  const publisher = await aPublisher(service, "Heron Weekly");
  await publisher.caller.ok(workspaceSettings, "PATCH", `${publisher.path}/settings`, { contactEmail });
  return publisher;
}

/** Every mail about an ad that was bought, approved and rejected. */
async function mailsAboutAnAd(contactEmail: string | null) {
  const publisher = await aReachablePublisher(contactEmail);
  const ad = await aPendingAd(service, publisher);
  const { email } = ad.checkout;
  await publisher.caller.request("POST", `${ad.path}/approve`);
  await publisher.caller.request("POST", `${ad.path}/reject`, { note: "No coffee here." });
  const mails = [];
  for (const about of ["Submit your ad", "approved", "rejected"])
    mails.push(await mailTo(service, email, about));
  return { publisher, ad, mails };
}

it("sends answers of advertisers to the publisher's contact address, and names it in the mail", async () => {
  const { mails } = await mailsAboutAnAd(CONTACT);

  for (const { subject, headers, text, html } of mails) {
    expect(headers["reply-to"], subject).toBe(CONTACT);
    expect(text, subject).toContain(`Questions? Reply to this email or write to ${CONTACT}.`);
    expect(html, subject).toContain(CONTACT);
  }
});

it("names no address, and asks for no reply, where the publisher has given none", async () => {
  const { mails } = await mailsAboutAnAd(null);

  for (const { subject, headers, text } of mails) {
    expect(headers["reply-to"], subject).toBeUndefined();
    expect(text, subject).not.toContain("Questions?");
  }
});

it("shows the contact address on the offer, on the page of an ad and after its rejection", async () => {
  const { publisher, ad } = await mailsAboutAnAd(CONTACT);
  const pending = await aPendingAd(service, publisher);
  const pageOf = (sessionId: string) => `/advertise/${publisher.workspace.id}/checkout/${sessionId}`;

  for (const path of [
    `/advertise/${publisher.workspace.slug}`,
    pageOf(pending.checkout.sessionId),
    pageOf(ad.checkout.sessionId),
  ]) {
    const page = await openPage(service, path);
    expect(page.text, path).toContain(`Questions? Contact Heron Weekly: ${CONTACT}`);
    expect(page.elements.map(({ attributes }) => attributes.href)).toContain(`mailto:${CONTACT}`);
  }
});

it("says nothing of a contact on the pages of a publisher without one", async () => {
  const publisher = await aReachablePublisher(null);

  expect((await openPage(service, `/advertise/${publisher.workspace.slug}`)).text).not.toContain(
    "Questions?",
  );
});
