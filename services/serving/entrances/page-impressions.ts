import type { IncomingMessage } from "node:http";
import type { FastifyInstance } from "fastify";
import type { z } from "zod";
import { FairPlaces } from "#libs/async/index.ts";
import { seenAds, type trackedAds } from "#libs/contract/serving.ts";
import {
  type AddressKey,
  asHttpError,
  costOfJson,
  HttpError,
  invalidInput,
  malformedBody,
  mapZodError,
  parseJson,
  SMALL_BODY,
  siteOf,
  unavailable,
} from "#libs/http/index.ts";
import type { ServingMetrics } from "../answers/metrics.ts";
import {
  EXPOSING_HEADERS,
  type Exchange,
  type FlatHeaders,
  hijack,
  JSON_HEADERS,
  type WriteRaw,
} from "../answers/raw-answer.ts";
import type { Directory } from "../directory/directory.ts";
import type { CachedAd } from "../directory/snapshot-cache.ts";
import type { Outcome } from "../record/record-events.ts";
import type { SentPlace, ToldPlace } from "../verdict/told-place.ts";
import { type FoundAds, findAds } from "./find-ads.ts";

type SeenAds = z.output<typeof seenAds>;
type SeenAd = SeenAds["ads"][number];
type TrackedAds = z.output<typeof trackedAds>;
/** `unknown`: there is no such ad. `failed`: a repetition may succeed. */
type PageOutcome = Outcome | "failed" | "unknown";

export interface PageImpressionsDeps {
  readonly directory: Pick<Directory, "cachedAd" | "findAds">;
  readonly metrics: Pick<ServingMetrics, "countAnswersOf" | "countRefused">;
  readonly writeRaw: WriteRaw;
  /** Adds an event to the batch, whose outcome goes to `settle`; false when too many wait. */
  readonly add: (
    request: IncomingMessage,
    kind: "impression",
    ad: CachedAd,
    settle: (outcome: Outcome | "failed") => void,
    given: { readonly proof: string; readonly told: ToldPlace },
  ) => boolean;
  /** Where the request's events happened; `sent` is what its body says. */
  readonly placeOf: (request: IncomingMessage, sent: SentPlace) => ToldPlace;
}

const PATH = "/impressions";
const RETRY_AFTER_MS = 1_000;
/** Ads of all such requests at the same time. Half of what may wait for a batch, so that these requests never fill it alone. */
const MOST_ADS_AT_WORK = 5_000;
const CLOSING = { connection: "close" };
const RESULTS: Readonly<Record<PageOutcome, Omit<TrackedAds["ads"][number], "id">>> = {
  stored: { success: true },
  limited: { success: false },
  unknown: { success: false },
  failed: { success: false, retry: true },
};

/**
 * Adds the endpoint to which a page reports all its ads in one request. Each ad is an event like any other, with the same limits and
 * verdicts. Returns the path and the handler, for requests that bypass Fastify.
 */
export function addPageImpressions(app: FastifyInstance, deps: PageImpressionsDeps) {
  const { directory, metrics, writeRaw, add, placeOf } = deps;
  const path = `${app.prefix}${PATH}`;
  const countAnswer = metrics.countAnswersOf(path);
  const overloaded = () => unavailable(RETRY_AFTER_MS);
  const atWork = new FairPlaces<AddressKey>(MOST_ADS_AT_WORK, { overShare: overloaded, full: overloaded });
  app.register((scope, _options, ready) => {
    scope.removeAllContentTypeParsers();
    // Leaves the body to `answer`.
    scope.addContentTypeParser("*", (_request, _payload, done) => done(null));
    scope.post(PATH, { config: { readsBody: true } }, async (request, reply) => {
      await answer(hijack(request, reply));
      return reply;
    });
    ready();
  });
  return { path, answer };

  /** Never rejects. */
  async function answer(exchange: Exchange): Promise<void> {
    const { request } = exchange;
    try {
      const caller = app.direct.addressOf(request);
      app.boundBody(request, caller);
      const { ads, ...sent } = readAds(await readBody(request));
      // Once, whatever it costs, and not for each ad.
      const told = placeOf(request, sent);
      const outcomes = await atWork.run(
        siteOf(caller) ?? caller,
        () => recordAll(request, ads, told, caller),
        ads.length,
      );
      if (outcomes.every((outcome) => outcome === "failed")) throw unavailable(RETRY_AFTER_MS);
      const results = ads.map(({ id }, index) => ({ id, ...RESULTS[outcomes[index] ?? "failed"] }));
      send(exchange, 200, { ads: results } satisfies TrackedAds);
    } catch (thrown) {
      const error = asHttpError(thrown, request.destroyed && !request.complete);
      if (error.status === 500) app.log.error({ err: thrown, reqId: exchange.requestId }, "request failed");
      // Closes the connection instead of waiting for the rest of the body.
      const headers = { ...error.headers, "cache-control": "no-store", ...(request.complete ? {} : CLOSING) };
      send(exchange, error.status, error.envelope(exchange.requestId), [
        ...EXPOSING_HEADERS,
        ...Object.entries(headers).flat(),
      ]);
    }
  }

  async function recordAll(
    request: IncomingMessage,
    ads: readonly SeenAd[],
    told: ToldPlace,
    caller: AddressKey,
  ): Promise<PageOutcome[]> {
    const found = await findAds(
      directory,
      ads.map(({ id }) => id),
      caller,
    );
    return await Promise.all(ads.map((ad) => record(request, ad, told, found)));
  }

  async function record(
    request: IncomingMessage,
    { id, proof = "" }: SeenAd,
    told: ToldPlace,
    found: FoundAds,
  ): Promise<PageOutcome> {
    const ad = found(id);
    if (ad === "away") return "failed";
    if (ad === null) {
      metrics.countRefused("impression", "unknown_ad");
      return "unknown";
    }
    const { promise, resolve } = Promise.withResolvers<PageOutcome>();
    return add(request, "impression", ad, resolve, { proof, told }) ? await promise : "failed";
  }

  function send(exchange: Exchange, status: number, body: unknown, headers: FlatHeaders = []): void {
    const text = JSON.stringify(body);
    countAnswer(status);
    const length = Buffer.byteLength(text);
    const encoding = length === text.length ? "latin1" : "utf8";
    writeRaw(
      exchange,
      status,
      [...JSON_HEADERS, "content-length", String(length), ...headers],
      text,
      encoding,
    );
  }
}

/** Rejects with 413 for a body over the bound, and with the error by which `boundBody` refuses it. */
function readBody(request: IncomingMessage): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const pieces: Buffer[] = [];
  let room = SMALL_BODY - Number(request.headers["content-length"] ?? 0) < 0 ? 0 : SMALL_BODY;
  request.on("data", (piece: Buffer) => {
    if (room < 0) return;
    room -= piece.byteLength;
    if (room >= 0) pieces.push(piece);
    else reject(new HttpError("PAYLOAD_TOO_LARGE"));
  });
  request.once("end", () => resolve(Buffer.concat(pieces).toString()));
  request.once("error", reject);
  return promise;
}

function readAds(body: string): SeenAds {
  const cost = costOfJson(body);
  if (cost !== null) throw malformedBody(cost);
  const parsed = seenAds.safeParse(parseJson(body));
  if (!parsed.success) throw invalidInput("INVALID_INPUT", mapZodError(parsed.error));
  return parsed.data;
}
