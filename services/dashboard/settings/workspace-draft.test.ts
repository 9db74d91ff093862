import { expect, it } from "vitest";
import { checkWorkspace } from "./workspace-draft.ts";

const draft = { name: " Clay Notes ", slug: "clay-notes", websiteUrl: "clay.example/news", currency: "eur" };

it("sends what is typed, with a scheme where the website has none", () => {
  expect(checkWorkspace(draft)).toEqual({
    input: {
      name: "Clay Notes",
      slug: "clay-notes",
      websiteUrl: "https://clay.example/news",
      currency: "eur",
    },
  });
});

it("removes a website that is left empty", () => {
  expect(checkWorkspace({ ...draft, websiteUrl: "  " })).toHaveProperty("input.websiteUrl", null);
});

it.each(["javascript:alert(1)", "ftp://example.com", "not an address", "data:text/html,x"])(
  "takes no website %j",
  (websiteUrl) => {
    expect(checkWorkspace({ ...draft, websiteUrl })).toHaveProperty("errors.websiteUrl");
  },
);

it("tells what is wrong with name and address name", () => {
  expect(checkWorkspace({ ...draft, name: "C", slug: "Clay--Notes" })).toEqual({
    errors: {
      name: "Use 2 to 80 characters.",
      slug: "Use 2 to 60 lower-case letters, digits and single hyphens.",
    },
  });
});
