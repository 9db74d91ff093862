import type { BrowserContext, Page } from "playwright-core";
import { openPage, type PageOptions } from "./page.ts";
import type { Product } from "./product.ts";

type Session = Awaited<ReturnType<BrowserContext["storageState"]>>;

/** The values in the welcome of a start with `SEED=demo`. */
export function readWelcome({ stdout }: Product) {
  const [, email = "", password = ""] = /^ {2}Sign in +(\S+), password (\S+)$/m.exec(stdout) ?? [];
  const [, workspaceId = ""] = /^ {2}Workspace +(ws_\w+)/m.exec(stdout) ?? [];
  const [, key = ""] = /^ {2}Key +(plc_\w+)/m.exec(stdout) ?? [];
  return { email, password, workspaceId, key };
}

/** Signs in as people do, and waits for the first page. */
export async function signIn(
  page: Page,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<void> {
  await page.goto("/sign-in");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL(/\/w\/ws_/);
}

let session: Promise<Session> | undefined;

/** A page of the demo's publisher, who signs in once a test file. */
export async function openAsDemo(product: Product, options: PageOptions = {}) {
  session ??= openPage(product.origin).then(async ({ page, context }) => {
    await signIn(page, readWelcome(product));
    return await context.storageState();
  });
  return await openPage(product.origin, { ...options, storageState: await session });
}
