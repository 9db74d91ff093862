import { expect, it } from "vitest";
import { uploadGrant } from "#libs/contract/uploads.ts";
import { IMAGE_TYPES } from "#libs/domain/image.ts";
import { startManagement } from "../../tests/management.ts";
import { aField, aPaidCheckout, aPublisher, aTier } from "../../tests/story.ts";

const MOST = 1_000_000;
const service = await startManagement({ unlimited: true });
const publisher = await aPublisher(service);
const { caller, path } = publisher;
const sold = await aTier(publisher);
// Each allows the checkout two more open grants.
await aField(publisher, { name: "Logo", type: "Image" });
await aField(publisher, { name: "Photo", type: "Image" });
const checkout = await aPaidCheckout(service, publisher, sold.prices[0]?.id ?? "");

/** Who may ask for a grant, and where. */
const ASKING = [
  { who: "a publisher", caller, path: `${path}/uploads` },
  { who: "an advertiser", caller: checkout.caller, path: `${checkout.path}/uploads` },
];
const logo = { fileName: "logo.png", contentType: "image/png", contentLength: 0 };
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

it.each(ASKING)("stores what $who sends with a grant, and serves it locked down", async (asking) => {
  const grant = await asking.caller.ok(uploadGrant, "POST", asking.path, {
    ...logo,
    contentLength: PNG.length,
  });

  const sent = await fetch(grant.uploadUrl, { method: "PUT", headers: grant.headers, body: PNG });
  const stored = await fetch(grant.publicUrl);

  expect(sent.status).toBe(200);
  expect(grant.key).toMatch(new RegExp(`^${publisher.workspace.id}/[0-9a-f]{32}\\.png$`));
  expect(Buffer.from(await stored.arrayBuffer()).equals(PNG)).toBe(true);
  expect(stored.headers.get("x-content-type-options")).toBe("nosniff");
  expect(stored.headers.get("content-security-policy")).toContain("default-src 'none'");
});

it.each(ASKING)("refuses $who a file over the limit with 422 at contentLength", async (asking) => {
  await asking.caller.ok(uploadGrant, "POST", asking.path, { ...logo, contentLength: MOST });

  for (const contentLength of [MOST + 1, 2 ** 53 - 1, 0, -1, 1.5, "5", undefined]) {
    expect(
      await asking.caller.invalid("POST", asking.path, { ...logo, contentLength }),
      String(contentLength),
    ).toEqual(["contentLength"]);
  }
});

it.each(ASKING)("grants $who images alone, never SVG or HTML", async (asking) => {
  for (const contentType of IMAGE_TYPES) {
    await asking.caller.ok(uploadGrant, "POST", asking.path, { ...logo, contentType, contentLength: 10 });
  }
  for (const contentType of ["image/svg+xml", "text/html", "IMAGE/PNG", "", null, undefined]) {
    expect(
      await asking.caller.invalid("POST", asking.path, {
        ...logo,
        contentType,
        contentLength: 10,
      }),
    ).toEqual(["contentType"]);
  }
});

it.each(ASKING)("keeps of $who's file name the extension alone", async (asking) => {
  const body = { ...logo, contentLength: 10, contentType: "image/jpeg" };

  for (const fileName of ["../../etc/passwd.jpg", "a/b\\c.jpeg", "x.html", "💥.jpg", "x".repeat(255)]) {
    const { key } = await asking.caller.ok(uploadGrant, "POST", asking.path, { ...body, fileName });
    expect(key).toMatch(new RegExp(`^${publisher.workspace.id}/[0-9a-f]{32}\\.jpe?g$`));
  }
  for (const fileName of ["", " ", "x".repeat(256), "a\u0000.jpg", 5, undefined]) {
    expect(await asking.caller.invalid("POST", asking.path, { ...body, fileName })).toEqual(["fileName"]);
  }
});

it("takes nothing but what was granted: size, type, signature", async () => {
  const grant = await caller.ok(uploadGrant, "POST", `${path}/uploads`, {
    ...logo,
    contentLength: PNG.length,
  });
  const put = (url: string, body: Buffer, contentType = "image/png") =>
    fetch(url, { method: "PUT", headers: { "content-type": contentType }, body: new Uint8Array(body) });

  const answers = [
    await put(grant.uploadUrl, PNG.subarray(1)),
    await put(grant.uploadUrl, Buffer.concat([PNG, PNG])),
    await put(grant.uploadUrl, PNG, "text/html"),
    await put(
      grant.uploadUrl.replace(/signature=(.)/, (_all, first) => `signature=${first === "A" ? "B" : "A"}`),
      PNG,
    ),
  ];

  for (const { status } of answers) {
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
  }
  expect((await fetch(grant.publicUrl)).status).toBe(404);
});

it("grants nothing to an advertiser before payment", async () => {
  const body = { ...logo, contentLength: 10 };
  const opened = await checkout.caller.request("POST", `${path}/checkout-sessions`, {
    tierPriceId: sold.prices[0]?.id,
  });

  const unpaid = `/v1/checkout-sessions/${JSON.parse(opened.text).sessionId}/uploads`;
  const { data } = await checkout.caller.refused(409, "POST", unpaid, body);
  expect(data?.formErrors).toEqual(["Images can be uploaded once the checkout is paid."]);
});
