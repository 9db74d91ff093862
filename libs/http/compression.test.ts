import fastify from "fastify";
import { expect, it } from "vitest";
import { compressOnce } from "./compression.ts";

const TEXT = "Placard – ".repeat(1_000);

it.each(["identity", "br", "gzip"])("encodes a text once for all who ask for it as %s", async (coding) => {
  const app = fastify();
  const sent: unknown[] = [];
  compressOnce(app);
  app.addHook("onSend", async (_request, _reply, body) => {
    sent.push(body);
    return body;
  });
  app.get("/", async () => TEXT);
  const ask = async () => await app.inject({ url: "/", headers: { "accept-encoding": coding } });

  const answers = [await ask(), await ask()];

  const [first, second] = sent;
  expect(first).toBeInstanceOf(Buffer);
  expect(second).toBe(first);
  expect(answers.map(({ headers }) => headers["content-encoding"] ?? "identity")).toEqual([coding, coding]);
  if (coding === "identity") expect(answers[0]?.body).toBe(TEXT);
  await app.close();
});
