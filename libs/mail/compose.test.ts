import fc from "fast-check";
import { createTransport } from "nodemailer";
import { expect, it } from "vitest";
import { compose } from "./compose.ts";
import type { Message } from "./port.ts";
import { readMail } from "./testing.ts";

const FROM = "Placard <placard@example.org>";
const message = { to: "ada@example.com", subject: "Your month", text: "Hello\n", html: "<p>Hello</p>" };
const composer = createTransport({ streamTransport: true, buffer: true, newline: "windows" });

async function written(mail: Message, from = FROM) {
  const { message: raw } = await composer.sendMail(compose(from, mail));
  if (!Buffer.isBuffer(raw)) throw new Error("no mail");
  return { ...(await readMail(raw)), raw: raw.toString("utf8") };
}

it("offers to end mails of the kind with one click, as RFC 8058 wants it", async () => {
  const url = `https://ads.example/v1/unsubscribe/${"a".repeat(80)}`;

  const { headers } = await written({ ...message, unsubscribeUrl: url });

  expect(headers["list-unsubscribe"]).toBe(`<${url}>`);
  expect(headers["list-unsubscribe-post"]).toBe("List-Unsubscribe=One-Click");
});

it("brings its pictures along, in their place in the text and nowhere else", async () => {
  const png = Buffer.from("a picture").toString("base64");

  const read = await written({
    ...message,
    html: '<img src="cid:chart@placard">',
    images: [{ id: "chart@placard", png }],
  });

  expect(read.images).toEqual([{ id: "chart@placard", type: "image/png", bytes: Buffer.from("a picture") }]);
  expect(read.text.trim()).toBe("Hello");
  expect(read.html).toContain("cid:chart@placard");
  expect(read.raw).toContain("multipart/related");
  expect(read.raw).not.toContain("Content-Disposition: attachment");
});

it("offers no end to other mails, and asks no mailbox to answer any", async () => {
  const { headers } = await written(message);

  expect(headers["list-unsubscribe"]).toBeUndefined();
  expect(headers["list-unsubscribe-post"]).toBeUndefined();
  expect(headers["auto-submitted"]).toBe("auto-generated");
});

it.each([
  [FROM, "Bücher & Co", "Bücher & Co via Placard <placard@example.org>"],
  ["placard@example.org", "Example Weekly", "Example Weekly <placard@example.org>"],
  [
    '"Ads, Inc." <ads@example.org>',
    'The "Weekly" <x@y.z>',
    'The "Weekly" <x@y.z> via Ads, Inc. <ads@example.org>',
  ],
])("from %s on behalf of %s is shown as %s", async (from, onBehalfOf, shown) => {
  expect((await written({ ...message, onBehalfOf }, from)).from).toBe(shown);
});

it("sends answers to one other address where it has one, whatever is in it", async () => {
  const own = await written(message);
  const other = await written({ ...message, replyTo: "ads@weekly.example" });
  const odd = await written({
    ...message,
    replyTo: "a@b.example, eve@evil.example\r\nBcc: eve@evil.example",
  });

  expect(own.headers["reply-to"]).toBeUndefined();
  expect(other.headers["reply-to"]).toBe("ads@weekly.example");
  expect(odd.headers.bcc).toBeUndefined();
});

it("keeps one id over attempts, below the sender's domain", async () => {
  const mail = { ...message, id: "3e8d3fc0-9c1f-4f6e-8a52-0f5f0c5c4c11" };

  const ids = [(await written(mail)).messageId, (await written(mail)).messageId];

  expect(ids).toEqual([`<${mail.id}@example.org>`, `<${mail.id}@example.org>`]);
});

it("carries the text and the same in HTML, the last of which is the preferred one", async () => {
  const { raw, text, html } = await written({ ...message, text: "Grüße 世界\n", html: "<p>Grüße 世界</p>" });

  expect(raw).toMatch(/^Content-Type: multipart\/alternative;/m);
  expect(raw.indexOf("text/plain")).toBeLessThan(raw.indexOf("text/html"));
  expect([text, html.trim()]).toEqual(["Grüße 世界\n", "<p>Grüße 世界</p>"]);
});

it("makes one line of a subject and a name, without what turns the direction of writing", () => {
  const { subject, from } = compose(FROM, {
    ...message,
    subject: " Hello\r\n\tBcc: eve@example.com\u202e moc ",
    onBehalfOf: "The\u2028Weekly\u2067",
  });

  expect(subject).toBe("Hello Bcc: eve@example.com moc");
  expect(from.name).toBe("The Weekly via Placard");
});

it("takes no header, recipient or sender from a name, a subject or an address", async () => {
  const breaks = fc.constantFrom("\r\n", "\n", "\r", "\u2028", "\0", "\r\n ", "\r\n\r\n");
  const hostile = fc
    .tuple(
      fc.string({ unit: "grapheme" }),
      breaks,
      fc.constantFrom("Bcc: eve@example.com", "<eve@example.com>,"),
    )
    .map((parts) => parts.join(""));
  await fc.assert(
    fc.asyncProperty(hostile, hostile, async (subject, onBehalfOf) => {
      const mail = await written({
        ...message,
        to: "ada@example.com, eve@example.com",
        subject,
        onBehalfOf,
        unsubscribeUrl: `https://ads.example/x>\r\nBcc: eve@example.com`,
      });

      expect(mail.from).toMatch(/ <placard@example\.org>$/);
      expect(Object.keys(mail.headers).toSorted()).toEqual(
        [
          "auto-submitted",
          "content-type",
          "date",
          "from",
          "list-unsubscribe",
          "list-unsubscribe-post",
          "message-id",
          "mime-version",
          "subject",
          "to",
        ].filter((name) => name !== "subject" || mail.headers.subject !== undefined),
      );
    }),
    { numRuns: 60 },
  );
});
