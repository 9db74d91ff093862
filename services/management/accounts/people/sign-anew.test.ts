import { createHmac } from "node:crypto";
import { expect, it, vi } from "vitest";
import { signAnew } from "./sessions.ts";

vi.mock("node:crypto", async (original) => {
  const real = await original<typeof import("node:crypto")>();
  return { ...real, createHmac: vi.fn(real.createHmac) };
});

const SECRETS = [
  "a-new-secret-of-more-than-32-characters",
  "an-old-secret-of-more-than-32-characters",
] as const;

function signed(text: string, secret: string): string {
  return encodeURIComponent(`${text}.${createHmac("sha256", secret).update(text).digest("base64")}`);
}

it("signs the cookies of an older secret again, and leaves the others as they are", () => {
  const cookies = `theme=dark; session=${signed("token", SECRETS[1])}; other=x.y`;

  expect(
    signAnew(cookies, SECRETS)
      .split(";")
      .map((one) => one.trim()),
  ).toEqual(["theme=dark", `session=${signed("token", SECRETS[0])}`, "other=x.y"]);
});

it("computes no signature for thousands of cookies that have none", () => {
  vi.mocked(createHmac).mockClear();

  signAnew(`${";".repeat(8_000)}${"a=.b;".repeat(1_600)}`, SECRETS);

  expect(createHmac).not.toHaveBeenCalled();
});
