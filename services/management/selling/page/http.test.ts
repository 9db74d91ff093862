import { expect, it } from "vitest";
import { contentSecurityPolicy } from "./http.ts";

function policyFor(publicUrl: string, origins: readonly string[]): string[] {
  const store = { origins };
  return contentSecurityPolicy({ publicUrl: new URL(publicUrl), uploads: store }).split("; ");
}

it("lets pages reach the bucket that images are sent to, and where they are fetched from", () => {
  const policy = policyFor("https://ads.example", ["https://bucket.s3.example", "https://cdn.example"]);

  expect(policy).toContain("connect-src 'self' https://bucket.s3.example https://cdn.example");
  expect(policy).toContain("img-src 'self' blob: https://bucket.s3.example https://cdn.example");
  expect(policy).toContain("upgrade-insecure-requests");
});

it("names no other origin where uploads are on the same one, and upgrades nothing on plain http", () => {
  const policy = policyFor("http://127.0.0.1:8080", ["http://127.0.0.1:8080"]);

  expect(policy).toContain("connect-src 'self'");
  expect(policy).toContain("img-src 'self' blob:");
  expect(policy).not.toContain("upgrade-insecure-requests");
});
