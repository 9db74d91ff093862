import type { FastifyReply } from "fastify";
import { tooManyRequests } from "#libs/http/index.ts";
import type { RateRule } from "#libs/limits/index.ts";
import type { Services } from "../services.ts";
import { type ExportHead, streamExport } from "./export.ts";
import type { Subject } from "./tables.ts";

/** An export reads everything there is, so it is for people who want their data, not for polling. */
const EXPORTS_OF_A_PERSON: RateRule = { name: "export", points: 10, durationSeconds: 60 * 60 };
const EXPORTS_OF_ADVERTISERS: RateRule = { name: "export-advertiser", points: 60, durationSeconds: 60 * 60 };

/** Answers with the export of a subject as a file. Throws 429 where `caller` has asked for too many. */
export async function sendExport(
  { db, limits, now }: Pick<Services, "db" | "limits" | "now">,
  reply: FastifyReply,
  caller: string,
  subject: Subject,
  head: () => Promise<ExportHead> = async () => ({}),
): Promise<ReadableStream<Uint8Array>> {
  const rule = subject.kind === "advertiser" ? EXPORTS_OF_ADVERTISERS : EXPORTS_OF_A_PERSON;
  const rate = await limits.consume(rule, caller);
  if (!rate.allowed) throw tooManyRequests(rate.resetMs);
  const exportedAt = new Date(now()).toISOString();
  const file = streamExport(db, subject, { exportedAt, ...(await head()) });
  reply.headers({
    "content-type": "application/json; charset=utf-8",
    "content-disposition": `attachment; filename="${subject.kind}-${exportedAt.slice(0, 10)}.json"`,
  });
  return file;
}
