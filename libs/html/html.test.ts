import fc from "fast-check";
import { expect, it } from "vitest";
import { Html, html } from "./html.ts";

it("lets no value leave its place, between tags or in an attribute", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const { source } = html`<p title="${text}">${text}</p>`;

      expect(source.match(/[<>"']/g)).toEqual(["<", '"', '"', ">", "<", ">"]);
    }),
  );
});

it("shows each character as it was given", () => {
  expect(html`${`Tom & "Jerry's" <b>`}`.source).toBe("Tom &amp; &quot;Jerry&#39;s&quot; &lt;b&gt;");
});

it("takes HTML as it is, lists of it joined, and nothing for null", () => {
  const rows = ["a", "<"].map((text) => html`<li>${text}</li>`);

  expect(html`<ul>${rows}</ul>${null}${new Html("<hr>")}`.source).toBe(
    "<ul><li>a</li><li>&lt;</li></ul><hr>",
  );
});
