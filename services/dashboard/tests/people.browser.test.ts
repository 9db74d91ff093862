import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import PostalMime from "postal-mime";
import { expect, it } from "vitest";
import { openPage, startProduct } from "../../../infra/browser/index.ts";

const product = startProduct();
const PASSWORD = "correct horse battery";

/** Creates an account from the page that is open, and returns its address. */
async function signUp(page: Page, name: string): Promise<string> {
  const email = `${name.toLowerCase()}-${crypto.randomUUID()}@example.com`;
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Create account" }).click();
  return email;
}

async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

/** Signs up, makes a workspace and leaves the rest for later. */
async function ownWorkspace(page: Page, name: string): Promise<{ email: string; workspaceId: string }> {
  await page.goto("/sign-up");
  const email = await signUp(page, name);
  await page.getByRole("heading", { name: `Welcome, ${name}` }).waitFor();
  await page.getByText("Were you invited to a workspace? Open the link in the email instead.").waitFor();
  await page.getByLabel("Name").fill(`${name}'s site`);
  await page.getByRole("button", { name: "Create workspace" }).click();
  await page.getByRole("link", { name: "Do this later" }).click();
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  const [, workspaceId = ""] = /\/w\/(ws_\w+)/.exec(page.url()) ?? [];
  return { email, workspaceId };
}

/** The path that the newest mail to an address leads to, below `page`. */
async function linkMailedTo(email: string, page: string): Promise<string> {
  let found: string | undefined;
  await expect.poll(async () => (found = await findLink(email, page)), { timeout: 10_000 }).toBeDefined();
  return found ?? "";
}

async function findLink(email: string, page: string): Promise<string | undefined> {
  const files = (await readdir(product.outbox)).filter((name) => name.endsWith(".eml")).sort();
  for (const file of files.reverse()) {
    const { to, text = "" } = await PostalMime.parse(await readFile(join(product.outbox, file)));
    const [link] = to?.some(({ address }) => address === email) ? (text.match(/http\S+/g) ?? []) : [];
    if (link?.startsWith(`${product.origin}${page}`)) return link.slice(product.origin.length);
  }
  return undefined;
}

it("leads to the sign-in when a session ends, and back to where somebody was", async () => {
  const { page, context, expectProblems } = await openPage(product.origin);
  const { email } = await ownWorkspace(page, "Ada");
  await page.getByRole("link", { name: "Tiers" }).click();
  await page.getByRole("heading", { name: "Tiers", level: 1 }).waitFor();

  await context.clearCookies();
  await page.getByRole("link", { name: "Audit log" }).click();

  await page.getByText("Your session has ended.").waitFor();
  expectProblems(/status of 401/);
  await signIn(page, email, PASSWORD);
  await page.getByRole("heading", { name: "Audit log", level: 1 }).waitFor();
});

it("leads somebody who is not signed in to the page of a link, by way of the sign-in", async () => {
  const { page, context } = await openPage(product.origin);
  const { email, workspaceId } = await ownWorkspace(page, "Ben");
  // What the page still asks for is refused once the session is over. Only a load of its own waits for what a page asks for.
  await page.reload({ waitUntil: "networkidle" });
  await page.getByRole("button", { name: /Account and theme/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  expect(await context.cookies()).toEqual([]);

  await page.goto(`/w/${workspaceId}/overview?days=90`);
  await signIn(page, email, PASSWORD);

  await page.waitForURL(`/w/${workspaceId}/overview?days=90`);
  await page.goto("/sign-in");
  await page.waitForURL(`/w/${workspaceId}/overview`);
});

it("says that a password is wrong, and lets its owner choose another one by the link of a mail", async () => {
  const { page, expectProblems } = await openPage(product.origin);
  const { email } = await ownWorkspace(page, "Cleo");
  await page.context().clearCookies();
  await page.goto("/sign-in");
  await signIn(page, email, "something else");
  await page.getByText("Wrong email address or password.").waitFor();
  expectProblems(/status of 401/);

  await page.getByRole("link", { name: "Forgot your password?" }).click();
  // The page before has such an input too.
  await page.getByRole("heading", { name: "Forgot your password?" }).waitFor();
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Send link" }).click();
  await page.getByRole("heading", { name: "Check your email" }).waitFor();
  await page.goto(await linkMailedTo(email, "/reset-password"));
  await page.getByLabel("New password", { exact: true }).fill("short");
  await page.getByRole("button", { name: "Save password" }).click();
  await page.getByText("Use at least 8 characters.").waitFor();
  await page.getByLabel("New password", { exact: true }).fill("another long password");
  await page.getByRole("button", { name: "Save password" }).click();

  await page.getByText("Your password has been changed.").waitFor();
  await signIn(page, email, "another long password");
  await page.getByRole("heading", { name: "Overview" }).waitFor();
});

it("lets somebody who is invited join, with an account that is made on the way", async () => {
  const owner = await openPage(product.origin);
  const { workspaceId } = await ownWorkspace(owner.page, "Dora");
  const email = `emil-${crypto.randomUUID()}@example.com`;
  const asked = await owner.page.request.post(`/v1/workspaces/${workspaceId}/invitations`, {
    data: { email, role: "Viewer" },
  });
  expect(asked.status()).toBe(200);
  const { page } = await openPage(product.origin);

  await page.goto(await linkMailedTo(email, "/accept-invitation"));
  await page.getByRole("link", { name: "Create an account" }).click();
  await page.getByLabel("Name").fill("Emil");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Create account" }).click();
  await page.getByRole("button", { name: "Join the workspace" }).click();

  await page.getByText("You’re now a member of Dora's site.").waitFor();
  await page.waitForURL(`/w/${workspaceId}/overview`);
});

it("does not let an invitation be used by another account", async () => {
  const { page, expectProblems } = await openPage(product.origin);
  const { workspaceId } = await ownWorkspace(page, "Fay");
  const email = `gus-${crypto.randomUUID()}@example.com`;
  await page.request.post(`/v1/workspaces/${workspaceId}/invitations`, { data: { email, role: "Owner" } });

  await page.goto(await linkMailedTo(email, "/accept-invitation"));
  await page.getByRole("button", { name: "Join the workspace" }).click();

  await page.getByText("This invitation was sent to a different address.").waitFor();
  expectProblems(/status of 403/);
  await page.getByRole("button", { name: "Use another account" }).click();
  await page.getByRole("link", { name: "Sign in" }).waitFor();
});

it("changes name, password and theme of an account", async () => {
  const { page, expectProblems } = await openPage(product.origin);
  await ownWorkspace(page, "Hal");
  await page.goto("/account");

  await page.getByLabel("Name").fill("Hal Example");
  await page.getByRole("button", { name: "Save name" }).click();
  await page.getByText("Name saved").waitFor();
  await page.getByLabel("Current password").fill("not this one");
  await page.getByLabel("New password").fill("another long password");
  await page.getByRole("button", { name: "Change password" }).click();
  await page.getByText("The current password is wrong.").waitFor();
  expectProblems(/status of 400/);
  await page.getByLabel("Current password").fill(PASSWORD);
  await page.getByRole("button", { name: "Change password" }).click();
  await page.getByText("Password changed.").waitFor();
  await page.getByText("Dark", { exact: true }).click();
  await page.getByRole("link", { name: "Back to your workspaces" }).click();

  await page.getByRole("button", { name: /Hal Example/ }).waitFor();
  expect(await page.locator("html").getAttribute("data-mantine-color-scheme")).toBe("dark");
});

it("says so while there is no connection, and that a workspace or a page cannot be opened", async () => {
  const { page, context, problems, expectProblems } = await openPage(product.origin);
  const { workspaceId } = await ownWorkspace(page, "Ida");
  const other = await openPage(product.origin);
  await ownWorkspace(other.page, "Jan");

  await context.setOffline(true);
  await page.getByText("You’re offline.").waitFor();
  await context.setOffline(false);
  await page.getByText("You’re offline.").waitFor({ state: "detached" });
  // The dashboard loads its other pages ahead of need, and may have been at it.
  const isDisconnected = /ERR_INTERNET_DISCONNECTED/;
  if (problems.some((problem) => isDisconnected.test(problem))) expectProblems(isDisconnected);

  await other.page.goto(`/w/${workspaceId}/ads`);
  await other.page.getByRole("heading", { name: "You can’t open this workspace" }).waitFor();
  other.expectProblems(/status of 40[34]/);
  await page.goto("/no/such/page");
  await page.getByRole("heading", { name: "Page not found" }).waitFor();
  await page.getByRole("link", { name: "Go to home" }).click();
  await page.waitForURL(`/w/${workspaceId}/overview`);
});
