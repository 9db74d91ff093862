import { afterAll, expect, it } from "vitest";
import { openPage, startProduct } from "../../../infra/browser/index.ts";
import { openMailServer } from "../../../libs/mail/tests/mail-server.ts";

const server = await openMailServer({ disabledCommands: ["STARTTLS"] });
const product = startProduct({
  SMTP_URL: `smtp://127.0.0.1:${server.port}`,
  MAIL_FROM: "placard@example.org",
});
const PASSWORD = "correct horse battery";

afterAll(() => server.close());

/** The path that the newest mail to an address leads to. */
async function linkMailedTo(email: string, page: string): Promise<string> {
  const find = () => {
    const mail = server.mails.findLast(({ to, text }) => to === email && text.includes(page));
    return mail?.text.match(/http\S+/)?.[0];
  };
  await expect.poll(find, { timeout: 10_000 }).toBeDefined();
  return (find() ?? "").slice(product.origin.length);
}

it("changes the address by the link of a mail, for the person who asked alone", async () => {
  const { page, context, expectProblems } = await openPage(product.origin);
  const email = `eva-${crypto.randomUUID()}@example.com`;
  const newEmail = `eva-${crypto.randomUUID()}@example.com`;
  await page.request.post("/api/auth/sign-up/email", { data: { name: "Eva", email, password: PASSWORD } });
  await page.goto(await linkMailedTo(email, "/confirm-account"));
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Confirm and sign in" }).click();
  await page.getByRole("heading", { name: "Confirm your address" }).waitFor({ state: "hidden" });
  await page.goto("/account");

  await page.getByRole("button", { name: "Change email address" }).click();
  await page.getByLabel("New email address").fill(newEmail);
  await page.getByLabel("Your password").fill(PASSWORD);
  await page.getByRole("button", { name: "Change address" }).click();
  await page.getByText(`If ${newEmail} can be used, we’ve sent a confirmation link to it.`).waitFor();
  const link = await linkMailedTo(newEmail, "/confirm-email");

  const stranger = await openPage(product.origin);
  await stranger.page.goto(link);
  await stranger.page.getByRole("heading", { name: "Sign in first" }).waitFor();

  await page.goto(link);
  await page.getByText(`You’re signed in as ${email}.`).waitFor();
  await page.getByRole("button", { name: "Confirm address" }).click();
  await page.getByText(`You sign in with ${newEmail}.`).waitFor();
  await page.goto(link);
  await page.getByRole("button", { name: "Confirm address" }).click();
  await page.getByText("This link has expired, was already used or belongs to another account.").waitFor();
  expectProblems(/status of 400/);
  expect((await context.cookies()).length).toBeGreaterThan(0);
});
