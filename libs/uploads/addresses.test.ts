import { expect, it } from "vitest";
import { newId } from "#libs/domain/ids.ts";
import { addressesBelow } from "./addresses.ts";

const KEY = `${newId("workspace")}/${"0a".repeat(16)}.png`;

it("finds a file by the one address that it gives out, wherever the store is mounted", () => {
  for (const base of ["https://cdn.example", "https://cdn.example/", "http://127.0.0.1:9000/bucket/a/"]) {
    const addresses = addressesBelow(new URL(base));

    expect(addresses.locate(addresses.of(KEY))).toEqual({ key: KEY });
  }
});

it.each([
  `https://cdn.example/files/${KEY}?v=2`,
  `https://cdn.example/files/${KEY}#top`,
  `http://cdn.example/files/${KEY}`,
  `HTTPS://CDN.EXAMPLE/files/${KEY}`,
  `https://cdn.example:443/files/${KEY}`,
  `https://somebody@cdn.example/files/${KEY}`,
  `https://cdn.example/fi%6ces/${KEY}`,
  `https://cdn.example/files/${KEY.replace("/", "%2f")}`,
  `https://cdn.example/files/x/../${KEY}`,
  `https://cdn.example/files/${KEY.replace(".png", ".svg")}`,
  "https://cdn.example/files/%",
  "https://cdn.example/files/",
])("knows that %s leads here, to no file of ours", (url) => {
  expect(addressesBelow(new URL("https://cdn.example/files")).locate(url)).toEqual({ key: null });
});

it.each([
  `https://elsewhere.example/files/${KEY}`,
  `https://cdn.example:444/files/${KEY}`,
  `https://cdn.example.elsewhere.example/files/${KEY}`,
  `https://cdn.example/other/${KEY}`,
  `https://cdn.example/files`,
  "not an address",
  "",
])("leaves %s to others", (url) => {
  expect(addressesBelow(new URL("https://cdn.example/files")).locate(url)).toBeNull();
});
