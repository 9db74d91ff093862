import { expect, it } from "vitest";
import { z } from "zod";
import { invitation, member } from "#libs/contract/members.ts";
import { pageOf } from "#libs/contract/query.ts";
import { workspaceSettings } from "#libs/contract/settings.ts";
import { newApiKey, workspace } from "#libs/contract/workspaces.ts";
import { mailTo, tokenIn } from "../../tests/joining.ts";
import { startManagement } from "../../tests/management.ts";

const service = await startManagement({ unlimited: true, keepsPasswordsWell: true });
const { origin } = service;

/** A browser with a page of this site open: it says where requests come from, and keeps cookies. */
class Browser {
  readonly #cookies = new Map<string, string>();

  async send(method: string, path: string, body?: unknown) {
    const response = await fetch(`${origin}${path}`, {
      method,
      redirect: "manual",
      headers: {
        cookie: [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; "),
        referer: `${origin}/`,
        "sec-fetch-dest": "empty",
        "sec-fetch-mode": "cors",
        "sec-fetch-site": "same-origin",
        ...(method === "GET" ? {} : { origin }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (value === "") this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    return { status: response.status, body: await response.text() };
  }

  async ok<T>(shape: z.ZodType<T>, method: string, path: string, body?: unknown): Promise<T> {
    const answer = await this.send(method, path, body);
    expect(answer.status, `${method} ${path}: ${answer.body}`).toBe(200);
    return shape.parse(JSON.parse(answer.body));
  }
}

const anything = z.unknown();
const session = z.object({ user: z.object({ name: z.string(), email: z.string() }) }).nullable();
const PASSWORD = "correct horse battery";
const NEW_PASSWORD = "another good password";

async function signUp(name: string, email: string): Promise<Browser> {
  const browser = new Browser();
  await browser.ok(anything, "POST", "/api/auth/sign-up/email", { name, email, password: PASSWORD });
  return browser;
}

it("lets a publisher do from a page of this site all that the dashboard does with people", async () => {
  const ada = await signUp("Ada Example", "ada@example.com");
  const made = await ada.ok(workspace, "POST", "/v1/workspaces", { name: "Example Weekly" });
  const path = `/v1/workspaces/${made.id}`;

  const mine = await ada.ok(pageOf(workspace), "GET", "/v1/workspaces");
  await ada.ok(workspace, "PATCH", path, { name: "Renamed Weekly" });
  const key = await ada.ok(newApiKey, "POST", `${path}/api-keys`, { name: "Integration" });
  await ada.ok(anything, "DELETE", `${path}/api-keys/${key.id}`);
  await ada.ok(workspaceSettings, "PATCH", `${path}/settings`, { audiencePublic: true });
  await ada.ok(invitation, "POST", `${path}/invitations`, { email: "grace@example.com", role: "Manager" });

  const grace = await signUp("Grace Example", "grace@example.com");
  const token = tokenIn(await mailTo(service, "grace@example.com", "invited you"));
  const joined = await grace.ok(workspace, "POST", "/v1/invitations/accept", { token });
  const members = await ada.ok(pageOf(member), "GET", `${path}/members`);
  const graces = members.items.find(({ role }) => role === "Manager")?.id ?? "";
  await ada.ok(member, "PATCH", `${path}/members/${graces}`, { role: "Viewer" });
  const seen = await grace.ok(workspace, "GET", path);
  await ada.ok(anything, "DELETE", `${path}/members/${graces}`);

  expect(mine.items).toEqual([{ ...made, role: "Owner" }]);
  expect([joined.name, joined.role, seen.role]).toEqual(["Renamed Weekly", "Manager", "Viewer"]);
  expect((await grace.send("GET", path)).status).toBe(403);
});

it("lets somebody in, out and back in with another password from a page of this site", async () => {
  const email = "mary@example.com";
  const mary = await signUp("Mary Example", email);
  const who = async () => (await mary.ok(session, "GET", "/api/auth/get-session"))?.user.name ?? null;

  await mary.ok(anything, "POST", "/api/auth/update-user", { name: "Mary Sample" });
  const named = await who();
  await mary.ok(anything, "POST", "/api/auth/change-password", {
    currentPassword: PASSWORD,
    newPassword: NEW_PASSWORD,
  });
  const afterChange = await who();
  await mary.ok(anything, "POST", "/api/auth/sign-out", {});
  const signedOut = await who();
  await mary.ok(anything, "POST", "/api/auth/sign-in/email", { email, password: NEW_PASSWORD });
  const back = await who();
  await mary.ok(anything, "POST", "/api/auth/request-password-reset", { email });
  const token = tokenIn(await mailTo(service, email, "new password"));
  await mary.ok(anything, "POST", "/api/auth/reset-password", { token, newPassword: PASSWORD });
  const afterReset = await who();
  await mary.ok(anything, "POST", "/api/auth/sign-in/email", { email, password: PASSWORD });

  expect([named, afterChange, signedOut, back, afterReset, await who()]).toEqual([
    "Mary Sample",
    "Mary Sample",
    null,
    "Mary Sample",
    null,
    "Mary Sample",
  ]);
});
