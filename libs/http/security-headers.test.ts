import { afterEach, describe, expect, it } from "vitest";
import { registerSecurityHeaders } from "./security-headers.ts";
import { startTestServer, type TestServer } from "./tests/test-server.ts";

let server: TestServer | undefined;
afterEach(() => server?.close());

describe("security headers", () => {
  it("let a page load from its own origin only, and be framed by nobody", async () => {
    server = await startPages(false);

    const { headers } = await server.fetch("/page");

    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain("upgrade-insecure-requests");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
  });

  it("let images come from where uploads are kept, and from nobody else", async () => {
    server = await startPages(false);
    const own = await server.fetch("/page");
    await server.close();
    server = await startPages(false, ["https://bucket.example"]);
    const withBucket = await server.fetch("/page");

    expect(own.headers.get("content-security-policy")).toContain("img-src 'self' data:;");
    expect(withBucket.headers.get("content-security-policy")).toContain(
      "img-src 'self' data: https://bucket.example;",
    );
    expect(withBucket.headers.get("content-security-policy")).toContain(
      "connect-src 'self' https://bucket.example;",
    );
  });

  it("upgrade what a page loads where the service is https", async () => {
    server = await startPages(true);

    const { headers } = await server.fetch("/page");

    expect(headers.get("content-security-policy")).toContain("upgrade-insecure-requests");
  });

  it("are replaced by what a route says of its own, and by nothing else", async () => {
    server = await startPages(false);

    const { headers } = await server.fetch("/docs");

    expect(headers.get("content-security-policy")).toBe("default-src 'none'");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
  });
});

function startPages(https: boolean, imageOrigins: readonly string[] = []): Promise<TestServer> {
  return startTestServer(async (app) => {
    await registerSecurityHeaders(app, { https, imageOrigins });
    app.get("/page", async () => "page");
    const policy = { useDefaults: false, directives: { defaultSrc: ["'none'"] } };
    app.get("/docs", { helmet: { contentSecurityPolicy: policy } }, async () => "docs");
  });
}
