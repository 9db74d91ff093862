import { createHmac } from "node:crypto";
import { expect, it, onTestFinished, vi } from "vitest";
import { ourCookies } from "./sessions.ts";

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

it("signs the cookies of an older secret again, and leaves our others as they are", () => {
  const cookies = `placard.two_factor=x.y; __Secure-placard.session_token=${signed("token", SECRETS[1])};placard.a=`;

  expect(
    ourCookies(cookies, SECRETS)
      .split(";")
      .map((one) => one.trim()),
  ).toEqual([
    "placard.two_factor=x.y",
    `__Secure-placard.session_token=${signed("token", SECRETS[0])}`,
    "placard.a=",
  ]);
});

it.each([["one secret", [SECRETS[0]]] as const, ["two secrets", SECRETS] as const])(
  "drops cookies that are not ours or cannot be decoded, with %s",
  (_what, secrets) => {
    const ours = `placard.session_token=${signed("token/é", SECRETS[0]).replace("%C3%A9", "e")}`;
    const others = [
      "theme=dark",
      "notplacard.a=b",
      "x=placard.a",
      "placard.a=%",
      "placard.a=%c3%28",
      "placard.a%=b",
      "placard.a",
      "=",
    ];

    expect(ourCookies([...others, ours, ...others].join(";"), secrets)).toBe(ours);
  },
);

it("computes no signature and decodes nothing for thousands of cookies that are not ours", () => {
  vi.mocked(createHmac).mockClear();
  const decoded = vi.spyOn(globalThis, "decodeURIComponent");
  onTestFinished(() => decoded.mockRestore());

  ourCookies(`${";".repeat(8_000)}${"a=%;".repeat(2_000)}`, SECRETS);
  ourCookies("placard.a=%;".repeat(1_300), SECRETS);

  expect(decoded).not.toHaveBeenCalled();
  expect(createHmac).not.toHaveBeenCalled();
});

it("computes no signature for what cannot be one", () => {
  vi.mocked(createHmac).mockClear();

  ourCookies("placard.a=.b;".repeat(1_200), SECRETS);

  expect(createHmac).not.toHaveBeenCalled();
});
