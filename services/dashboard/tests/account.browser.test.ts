import type { BrowserContext, Page } from "playwright-core";
import { expect, it } from "vitest";
import { codeFor } from "#libs/testing/authenticator-app.ts";
import { expectAccessible, openPage, startProduct } from "../../../infra/browser/index.ts";

const product = startProduct();
const PASSWORD = "correct horse battery";

/** Browsers support passkeys for host names only. */
function origin(): string {
  return product.origin.replace("127.0.0.1", "localhost");
}

/** Signs up and opens the account. */
async function ownAccount(page: Page, name: string): Promise<string> {
  const email = `${name.toLowerCase()}-${crypto.randomUUID()}@example.com`;
  const answer = await page.request.post("/api/auth/sign-up/email", {
    data: { name, email, password: PASSWORD },
  });
  expect(answer.status()).toBe(200);
  await page.goto("/account");
  await page.getByRole("heading", { name: "Your account" }).waitFor();
  return email;
}

async function sendPassword(page: Page, email: string): Promise<void> {
  await page.goto("/sign-in");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

async function givePassword(page: Page, action: string): Promise<void> {
  await page.getByLabel("Your password").fill(PASSWORD);
  await page.getByRole("dialog").getByRole("button", { name: action, exact: true }).click();
}

/** A security key in the browser that checks its owner. */
async function plugInKey(context: BrowserContext, page: Page) {
  const session = await context.newCDPSession(page);
  await session.send("WebAuthn.enable");
  await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

it("sets up two-factor sign-in, then asks for a code and takes a recovery code in its place", async () => {
  const { page, context, expectProblems } = await openPage(product.origin);
  const email = await ownAccount(page, "Ada");

  await page.getByRole("button", { name: "Set up two-factor sign-in" }).click();
  await givePassword(page, "Continue");
  await page.getByRole("img", { name: "QR code for your authenticator" }).waitFor();
  await expectAccessible(page);
  const key = await page.getByLabel("Or type this key").inputValue();
  const otpauth = `otpauth://totp/x?secret=${key.replaceAll(" ", "")}`;
  await page.getByLabel("Six-digit code").fill(codeFor(otpauth, Date.now()));
  await page.getByRole("button", { name: "Switch on" }).click();
  const codes = await page.getByRole("region", { name: "Recovery codes" }).innerText();
  const [recoveryCode = ""] = codes.split("\n");
  await page.getByRole("button", { name: "I’ve saved them" }).click();
  await page.getByRole("button", { name: "Replace recovery codes" }).waitFor();

  await context.clearCookies();
  await sendPassword(page, email);
  await page.getByRole("heading", { name: "Enter your code" }).waitFor();
  await expectAccessible(page);
  await page.getByLabel("Six-digit code").fill("000 000");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByText("This code is wrong or already used.").waitFor();
  expectProblems(/status of 401/);
  await page.getByRole("button", { name: "Use a recovery code" }).click();
  await page.getByText("ask whoever runs this installation to switch two-factor sign-in off").waitFor();
  await page.getByLabel("Recovery code").fill(recoveryCode);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("heading", { name: "Welcome, Ada" }).waitFor();

  await page.goto("/account");
  await page.getByText("New or lost phone? Switch it off, then set it up again.").waitFor();
  await page.getByRole("button", { name: "Switch off", exact: true }).click();
  await givePassword(page, "Switch off");
  await page.getByRole("button", { name: "Set up two-factor sign-in" }).waitFor();
});

it("adds a passkey, renames it, signs in with it and removes it", async () => {
  const { page, context } = await openPage(origin());
  await plugInKey(context, page);
  await ownAccount(page, "Ben");

  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByLabel("Device name").fill("Laptop");
  await givePassword(page, "Continue");
  await page.getByRole("button", { name: "Rename Laptop" }).click();
  await page.getByLabel("Device name").fill("Work laptop");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("button", { name: "Rename Work laptop" }).waitFor();
  await expectAccessible(page);

  await context.clearCookies();
  await page.goto("/sign-in");
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await page.getByRole("heading", { name: "Welcome, Ben" }).waitFor();

  await page.goto("/account");
  await page.getByRole("button", { name: "Remove Work laptop" }).click();
  await page.getByRole("button", { name: "Remove passkey" }).click();
  await page.getByText("Work laptop removed").waitFor();
  await page.getByRole("list", { name: "Passkeys" }).waitFor({ state: "detached" });
});

it("says that no passkey was used on a device that has none", async () => {
  const { page, context } = await openPage(origin());
  await plugInKey(context, page);
  await page.goto("/sign-in");

  await page.getByRole("button", { name: "Sign in with a passkey" }).click();

  await page.getByText("No passkey was used. Try again, or sign in with your password.").waitFor();
});

it("says where passkeys work when the page is open at an IP address", async () => {
  const { page } = await openPage(product.origin);

  await ownAccount(page, "Cleo");

  await page.getByText(`Open this page at ${origin()} to use them.`).waitFor();
  await page.context().clearCookies();
  await page.goto("/sign-in");
  await page.getByRole("button", { name: "Sign in", exact: true }).waitFor();
  expect(await page.getByRole("button", { name: "Sign in with a passkey" }).count()).toBe(0);
});

it("changes the email address with the password", async () => {
  const { page, context, expectProblems } = await openPage(product.origin);
  await ownAccount(page, "Dora");
  const newEmail = `dora-${crypto.randomUUID()}@example.com`;

  await page.getByRole("button", { name: "Change email address" }).click();
  await page.getByLabel("New email address").fill(newEmail);
  await page.getByLabel("Your password").fill("not the password");
  await page.getByRole("button", { name: "Change address" }).click();
  await page.getByText("Wrong password.").waitFor();
  expectProblems(/status of 400/);
  await givePassword(page, "Change address");
  await page.getByText("Email address changed.").waitFor();
  await page.getByText(`You sign in with ${newEmail}.`).waitFor();

  await context.clearCookies();
  await sendPassword(page, newEmail);
  await page.getByRole("heading", { name: "Welcome, Dora" }).waitFor();
});

it("lists where a person is signed in, and signs out elsewhere", async () => {
  const { page } = await openPage(product.origin);
  const email = await ownAccount(page, "Sven");
  const other = await openPage(product.origin);
  await sendPassword(other.page, email);
  await other.page.waitForURL(/welcome/);
  await page.reload();
  const sessions = page.getByRole("list", { name: "Sessions" }).getByRole("listitem");

  await expect.poll(() => sessions.count()).toBe(2);
  await sessions.first().getByText("This device").waitFor();
  await sessions.first().getByText("Chrome on Linux").waitFor();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Sign out elsewhere" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Sign out elsewhere" }).click();
  await page.getByText("Signed out everywhere else").waitFor();

  await expect.poll(() => sessions.count()).toBe(1);
  await other.page.goto("/account");
  await other.page.getByRole("heading", { name: "Sign in" }).waitFor();
});
