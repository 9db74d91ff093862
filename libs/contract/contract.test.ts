import { describe, expect, it } from "vitest";
import { z } from "zod";
import { contract } from "./contract.ts";
import { listEndpoints } from "./endpoints.ts";
import { newPrice } from "./price.ts";
import { page, perPage } from "./query.ts";
import { email, mailAddress, siteUrl, text, timestamp, trimmedText, webUrl } from "./text.ts";

const endpoints = listEndpoints(contract);

it("has each method and path once", () => {
  const routes = endpoints.map(({ method, path }) => `${method} ${path}`);

  expect(new Set(routes).size).toBe(routes.length);
  expect(routes).toContain("GET /workspaces/{workspaceId}/ads/serving");
});

it("asks for a member's role only on paths that name the workspace", () => {
  const ofMembers = endpoints.filter(({ access }) => access.kind === "member" || access.kind === "people");

  expect(ofMembers.length).toBeGreaterThan(30);
  expect(ofMembers.filter(({ path }) => !path.startsWith("/workspaces/{workspaceId}"))).toEqual([]);
});

it("takes an Idempotency-Key only where something is created", () => {
  const idempotent = endpoints.filter((endpoint) => endpoint.idempotent);

  expect(idempotent.map(({ method }) => method)).toEqual(idempotent.map(() => "POST"));
});

it("says which endpoints call the payment processor, and so may answer 502", () => {
  const calling = endpoints.filter(({ callsProcessor }) => callsProcessor).map(({ name }) => name);

  expect(calling).toEqual(expect.arrayContaining(["ads.pause", "checkout.create", "connect.start"]));
  expect(calling).not.toContain("ads.approve");
});

describe("a text", () => {
  it("counts code points, not UTF-16 units", () => {
    expect(text(2).safeParse("😀😀").success).toBe(true);
    expect(text(2).safeParse("abc").error?.issues[0]?.message).toBe("Must have at most 2 characters.");
  });

  it("keeps neither control characters nor broken Unicode", () => {
    expect(text(9).safeParse("a\u0000b").success).toBe(false);
    expect(text(9).safeParse("\ud800").success).toBe(false);
    expect(text(9).safeParse("a\nb").success).toBe(true);
  });

  it("is measured after trimming where it is trimmed", () => {
    expect(trimmedText(2, 5).parse("  ab ")).toBe("ab");
    expect(trimmedText(2, 5).safeParse("  a ").error?.issues[0]?.message).toBe(
      "Must have at least 2 characters.",
    );
  });

  it("is an address of the web with http or https alone", () => {
    expect(webUrl.safeParse("https://example.com/a").success).toBe(true);
    expect(webUrl.safeParse("javascript:alert(1)").success).toBe(false);
  });

  it("is an email address in lower case", () => {
    expect(email.parse("Ads@Example.com")).toBe("ads@example.com");
    expect(email.safeParse("not an address").success).toBe(false);
  });

  it("is an instant in UTC with milliseconds", () => {
    expect(timestamp.safeParse("2026-11-21T09:30:00.000Z").success).toBe(true);
    expect(timestamp.safeParse("2026-11-21T09:30:00Z").success).toBe(false);
  });
});

describe("a page of a list", () => {
  const query = z.object({ page, perPage });

  it("is the first one of 25 rows unless the query says otherwise", () => {
    expect(query.parse({})).toEqual({ page: 1, perPage: 25 });
    expect(query.parse({ page: "3", perPage: "100" })).toEqual({ page: 3, perPage: 100 });
  });

  it.each(["1.5", "1e3", " 5", "", "0"])("is not %j", (given) => {
    expect(query.safeParse({ page: given }).success).toBe(false);
  });

  it("has at most 100 rows", () => {
    expect(query.safeParse({ perPage: "101" }).success).toBe(false);
  });
});

describe("a price", () => {
  const shape = { amount: 4900, currency: "usd" };

  it("is per month unless it says otherwise", () => {
    expect(newPrice.parse({ ...shape, intervalCount: 1 }).interval).toBe("Month");
  });

  it("has a billing period of at most two years", () => {
    expect(newPrice.safeParse({ ...shape, interval: "Month", intervalCount: 24 }).success).toBe(true);
    expect(newPrice.safeParse({ ...shape, interval: "Month", intervalCount: 25 }).success).toBe(false);
  });
});

describe("what advertisers and publishers type", () => {
  it("has its bounds after trimming, at both ends", () => {
    expect(trimmedText(2, 5).parse(`   ${"a".repeat(5)}   `)).toBe("aaaaa");
    expect(trimmedText(2, 5).safeParse("a".repeat(6)).success).toBe(false);
  });

  it("is a name that reads as it is stored: nothing in it hides or turns the text around", () => {
    for (const hidden of ["\u202e", "\u200b", "\u2066", "\u2060"]) {
      expect(trimmedText(2, 80).safeParse(`Cof${hidden}fee`).success).toBe(false);
    }
    expect(trimmedText(2, 80).parse("Café 👩‍👩‍👧")).toBe("Café 👩‍👩‍👧");
  });

  it("is a mail address as browsers take it, with a domain of any script", () => {
    for (const local of ["a&b", "a=b", "a/b", "user!x"]) {
      expect(mailAddress.parse(`${local}@example.com`)).toBe(`${local}@example.com`);
    }
    expect(mailAddress.parse("Ada@Müller.example")).toBe("ada@xn--mller-kva.example");
    for (const none of [
      "a@b",
      "a b@example.com",
      "@example.com",
      "a@-x.example",
      "a@x.example\n",
      "a@x..example",
    ]) {
      expect(mailAddress.safeParse(none).success, none).toBe(false);
    }
  });

  it("is a site that visitors can reach, and an address without a user name", () => {
    for (const url of [
      "http://user:pw@example.com",
      "http://169.254.169.254/",
      "http://127.0.0.1:8080",
      "http://localhost/",
      "http://10.0.0.1/",
      "http://[::1]/",
    ]) {
      expect(siteUrl.safeParse(url).success, url).toBe(false);
    }
    expect(siteUrl.safeParse("https://example.com/@ada").success).toBe(true);
    expect(webUrl.safeParse("https:///x").success).toBe(false);
  });
});
