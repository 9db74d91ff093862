import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openToBrowsers } from "./cors.ts";
import { startTestServer, type TestServer } from "./tests/test-server.ts";

const FROM_A_SITE = { origin: "https://publisher.example" };

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer(async (app) => {
    app.get("/private", async () => ({ ok: true }));
    await app.register(
      async (open) => {
        openToBrowsers(open);
        open.get("/ads/:adId", async () => ({ ok: true }));
        open.post("/ads/:adId", async () => ({ ok: true }));
        open.get("/fails", async () => {
          throw new Error("broken");
        });
      },
      { prefix: "/v1" },
    );
  });
});
afterAll(() => server.close());

describe("public routes in a browser", () => {
  it.each(["/v1/ads/1", "/v1/fails"])("may be read by any site, without credentials: %s", async (path) => {
    const { headers } = await server.fetch(path, { headers: FROM_A_SITE });

    expect(headers.get("access-control-allow-origin")).toBe("*");
    expect(headers.has("access-control-allow-credentials")).toBe(false);
    expect(headers.get("access-control-expose-headers")).toContain("retry-after");
  });

  it("answer a preflight with the methods of the path, to be remembered for a day", async () => {
    const response = await server.fetch("/v1/ads/1", {
      method: "OPTIONS",
      headers: { ...FROM_A_SITE, "access-control-request-method": "POST" },
    });

    expect(response.status).toBe(204);
    expect(response.headers.get("access-control-allow-methods")).toBe("GET, HEAD, POST");
    expect(response.headers.get("access-control-allow-headers")).toContain("content-type");
    expect(response.headers.get("access-control-max-age")).toBe("86400");
  });

  it("leave the other routes closed", async () => {
    const read = await server.fetch("/private", { headers: FROM_A_SITE });
    const preflight = await server.fetch("/private", { method: "OPTIONS", headers: FROM_A_SITE });

    expect(read.headers.has("access-control-allow-origin")).toBe(false);
    expect(preflight.status).toBe(405);
  });
});
