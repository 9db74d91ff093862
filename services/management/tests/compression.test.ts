import { type IncomingMessage, request } from "node:http";
import { buffer } from "node:stream/consumers";
import { brotliCompressSync, brotliDecompressSync, constants, gunzipSync } from "node:zlib";
import { expect, it, vi } from "vitest";
import { startManagement } from "./management.ts";
import { aField, aPendingAd, aPublisher } from "./story.ts";

const service = await startManagement({ unlimited: true });
const publisher = await aPublisher(service);
const ad = await aPendingAd(service, publisher);
const creative = { name: "Example Coffee", websiteUrl: `https://coffee.example/${"x".repeat(1_500)}` };
await ad.checkout.caller.request("POST", `${ad.checkout.path}/ad`, creative);
for (let n = 0; n < 10; n += 1) await aField(publisher, { key: `field_${n}` });
const withKey = { authorization: `Bearer ${publisher.key.key}` };

/** The answer as it is on the wire; fetch would decompress it and not say so. */
async function read(path: string, headers: Record<string, string> = {}, method = "GET", body?: object) {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const sent = request(`${service.origin}${path}`, {
    method,
    headers: {
      ...withKey,
      ...headers,
      ...(text === undefined ? {} : { "content-type": "application/json" }),
    },
  });
  const { promise, resolve, reject } = Promise.withResolvers<Awaited<ReturnType<typeof take>>>();
  const take = async (answer: IncomingMessage) => ({
    status: answer.statusCode,
    headers: answer.headers,
    bytes: await buffer(answer),
  });
  sent.once("error", reject).once("response", (answer) => take(answer).then(resolve, reject));
  sent.end(text);
  return await promise;
}

const gzip = { "accept-encoding": "gzip" };
const brotli = { "accept-encoding": "gzip, deflate, br" };

it.each([`${publisher.path}/fields`, "/v1/openapi.json"])(
  "compresses %s for who accepts it",
  async (path) => {
    const plain = await read(path);
    const gzipped = await read(path, gzip);
    const smallest = await read(path, brotli);

    expect(plain.headers["content-encoding"]).toBeUndefined();
    expect([gzipped.headers["content-encoding"], smallest.headers["content-encoding"]]).toEqual([
      "gzip",
      "br",
    ]);
    expect(gunzipSync(gzipped.bytes)).toEqual(plain.bytes);
    expect(brotliDecompressSync(smallest.bytes)).toEqual(plain.bytes);
    expect(gzipped.bytes.length).toBeLessThan(plain.bytes.length / 3);
    for (const { headers } of [plain, gzipped, smallest]) expect(headers.vary).toMatch(/accept-encoding/i);
  },
);

it("answers HEAD with the headers of a compressed GET", async () => {
  for (const path of [`${publisher.path}/fields`, "/v1/openapi.json"]) {
    const get = await read(path, gzip);
    const head = await read(path, gzip, "HEAD");

    expect(head.bytes).toHaveLength(0);
    for (const name of ["content-encoding", "content-length", "vary", "content-type"]) {
      expect(head.headers[name], name).toBe(get.headers[name]);
    }
  }
});

it("leaves small answers, and those with an ETag, as they are", async () => {
  const small = await read(`${publisher.path}/ads/${ad.id}/eligibility`, gzip);
  const tagged = await read(`${publisher.path}/ads/${ad.id}`, gzip);

  expect(small.headers["content-encoding"]).toBeUndefined();
  expect(tagged.headers.etag).toMatch(/^"/);
  expect([tagged.headers["content-encoding"], tagged.bytes.length > 1_024]).toEqual([undefined, true]);
  expect(JSON.parse(tagged.bytes.toString()).id).toBe(ad.id);
});

it("never compresses what holds a secret beside words that others choose", async () => {
  const cookie = { ...gzip, cookie: publisher.person.cookie, authorization: "" };
  const session = `/v1/checkout-sessions/${ad.checkout.sessionId}`;
  const answers = [
    await read(session, gzip),
    await read(`${session}/ad`, gzip, "POST", creative),
    await read(`/advertise/${publisher.workspace.slug}/checkout/${ad.checkout.sessionId}`, gzip),
    await read("/api/auth/get-session", cookie),
  ];

  expect(answers.slice(0, 3).map(({ status, bytes }) => [status, bytes.length > 1_024])).toEqual([
    [200, true],
    [200, true],
    [200, true],
  ]);
  for (const { headers } of answers) expect(headers["content-encoding"]).toBeUndefined();
});

it("compresses the script of the reference once, however often it is asked for", async () => {
  const path = "/v1/docs/js/scalar.js";
  const cpuOf = async (times: number) => {
    const before = process.cpuUsage();
    for (let n = 0; n < times; n += 1) {
      const { headers, bytes } = await read(path, brotli);
      expect([headers["content-encoding"], headers["content-length"]]).toEqual(["br", `${bytes.length}`]);
    }
    return process.cpuUsage(before).user;
  };
  const plain = await read(path);
  expect(brotliDecompressSync((await read(path, brotli)).bytes)).toEqual(plain.bytes);

  const begun = process.cpuUsage();
  brotliCompressSync(plain.bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } });
  const compressing = process.cpuUsage(begun).user;

  // What else this process does meanwhile is counted, too, so it may take more than one attempt.
  await vi.waitFor(async () => expect(await cpuOf(10)).toBeLessThan(5 * compressing), { timeout: 20_000 });
});
