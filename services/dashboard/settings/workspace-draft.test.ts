import { expect, it } from "vitest";
import { checkWorkspace } from "./workspace-draft.ts";

const draft = { name: " Clay Notes ", websiteUrl: "clay.example/news", currency: "eur" };

it("trims the values and adds https to a website without a scheme", () => {
  expect(checkWorkspace(draft)).toEqual({
    input: {
      name: "Clay Notes",
      websiteUrl: "https://clay.example/news",
      currency: "eur",
    },
  });
});

it("sends null for a blank website", () => {
  expect(checkWorkspace({ ...draft, websiteUrl: "  " })).toHaveProperty("input.websiteUrl", null);
});

it.each(["javascript:alert(1)", "ftp://example.com", "not an address", "data:text/html,x"])(
  "rejects the website %j",
  (websiteUrl) => {
    expect(checkWorkspace({ ...draft, websiteUrl })).toHaveProperty("errors.websiteUrl");
  },
);

it("rejects a short name", () => {
  expect(checkWorkspace({ ...draft, name: "C" })).toEqual({
    errors: {
      name: "Must have at least 2 characters.",
    },
  });
});
