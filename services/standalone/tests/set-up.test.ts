import { expect, it } from "vitest";
import { aFolder } from "#libs/testing/temporary-folder.ts";
import { startInstallation } from "./installation.ts";

const LINK = /http:\/\/127\.0\.0\.1:\d+\/sign-up#token=(\S+)/;

async function signUp(url: string, email: string, token?: string): Promise<number> {
  const answer = await fetch(`${url}/api/auth/sign-up/email`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name: "Ada", email, password: "correct horse battery", token }),
  });
  return answer.status;
}

it("prints a link for the first account until somebody has one, another at each start", async () => {
  const dataDir = await aFolder();
  const environment = { SIGN_UP: "invited" };

  const first = await startInstallation({ dataDir, environment });
  const [, firstToken] = LINK.exec(first.stdout) ?? [];
  const withoutLink = await signUp(first.url, "stranger@example.com");
  await first.stop();
  const second = await startInstallation({ dataDir, environment });
  const [, secondToken] = LINK.exec(second.stdout) ?? [];
  const owner = await signUp(second.url, "owner@example.com", secondToken);
  const late = await signUp(second.url, "late@example.com", firstToken);
  await second.stop();
  const third = await startInstallation({ dataDir, environment });

  expect(firstToken).toBeDefined();
  expect(secondToken).not.toBe(firstToken);
  expect([withoutLink, owner, late]).toEqual([403, 200, 403]);
  expect(third.stdout).not.toMatch(LINK);
}, 300_000);

it("prints none on this machine alone, where anybody may sign up", async () => {
  const installation = await startInstallation({ dataDir: await aFolder() });

  expect(installation.stdout).not.toMatch(LINK);
  expect(await signUp(installation.url, "ada@example.com")).toBe(200);
});
