import { request } from "node:http";
import { text } from "node:stream/consumers";
import { servedAds } from "#libs/contract/serving.ts";
import type { DemoBench } from "../bench/bench.ts";
import { ACCEPTED, BROWSER } from "../clients/browser.ts";
import type { Load, LoadResult } from "../clients/load.ts";
import { median, significant } from "../measure/statistics.ts";
import type { ScenarioResult } from "../report/result.ts";

const ADS = 3;
const CONNECTIONS = 64;
/** Page views of a connection, each of another visitor, before it starts again. */
const VIEWS = 100;

/** What a browser sends with a request to another site. */
const BROWSER_HEADERS = {
  "user-agent": BROWSER,
  accept: "*/*",
  "accept-language": "en-US,en;q=0.5",
  "accept-encoding": "gzip, deflate, br, zstd",
  origin: "https://publisher.example",
  connection: "keep-alive",
  "sec-fetch-dest": "empty",
  "sec-fetch-mode": "cors",
  "sec-fetch-site": "cross-site",
};

interface SeenAd {
  readonly id: string;
  readonly proof?: string;
}

interface Sent {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** How a page reports its ads. */
interface Way {
  readonly name: string;
  readonly requests: readonly Sent[];
  readonly expectBody: string;
}

interface Measured {
  readonly result: LoadResult;
  readonly pagesPerSecond: number;
  readonly pagesPerCpuSecond: number;
}

/** The impressions of a page with three ads, in a request each and in one, each durable before its answer. */
export async function pages(bench: DemoBench): Promise<ScenarioResult> {
  const { options, placard } = bench;
  const ads = await threeAds(bench);
  const alone: Way = {
    name: "a request for each",
    requests: ads.map(({ id, proof = "" }) => ({
      path: `/v1/ads/${id}/impressions?proof=${proof}`,
      headers: {},
    })),
    expectBody: ACCEPTED,
  };
  const together: Way = {
    name: "one request",
    requests: [
      {
        path: "/v1/impressions",
        headers: { "content-type": "text/plain;charset=UTF-8" },
        body: JSON.stringify({ ads }),
      },
    ],
    expectBody: JSON.stringify({ ads: ads.map(({ id }) => ({ id, success: true })) }),
  };
  const ways = [alone, together].map((way) => ({ way, measured: [] as Measured[] }));
  for (const { way } of ways) await measure(bench, way, 0);
  for (let round = 1; round <= options.rounds; round += 1) {
    for (const { way, measured } of ways) measured.push(await measure(bench, way, round));
  }
  const failed = ways.flatMap(({ measured }) => measured).reduce((sum, { result }) => sum + result.failed, 0);
  const ratioOf = (of: (measured: Measured) => number) => {
    const [before, after] = ways.map(({ measured }) => measured.map(of));
    return significant(
      median((after ?? []).map((value, round) => value / (before?.[round] ?? Number.NaN))),
      3,
    );
  };
  const rows: ScenarioResult["rows"] = await Promise.all(
    ways.map(async ({ way, measured }) => ({
      [`a page with ${ADS} ads`]: way.name,
      requests: way.requests.length,
      "pages/s": Math.round(median(measured.map(({ pagesPerSecond }) => pagesPerSecond))),
      "CPU us a page": Math.round(1e6 / median(measured.map(({ pagesPerCpuSecond }) => pagesPerCpuSecond))),
      "bytes a page": await bytesOf(placard.origin, way.requests),
      "p99 ms": significant(median(measured.map(({ result }) => result.p99)), 3),
      "client busy": significant(median(measured.map(({ result }) => result.clientBusy)), 2),
    })),
  );
  return {
    scenario: "pages",
    rows,
    headline: {
      pages: {
        ratio: ratioOf(({ pagesPerSecond }) => pagesPerSecond),
        cpuRatio: ratioOf(({ pagesPerCpuSecond }) => pagesPerCpuSecond),
      },
    },
    details: { ways },
    complaints: failed > 0 ? [`${failed} requests failed.`] : [],
  };
}

async function threeAds({ placard }: DemoBench): Promise<readonly SeenAd[]> {
  const path = `/v1/workspaces/${placard.workspaceId}/ads/serving?count=${ADS}&proof=1`;
  const { ads } = servedAds.parse(await (await fetch(`${placard.origin}${path}`)).json());
  return ads.map(({ id, proof = "" }) => ({ id, proof }));
}

async function measure({ client, options, placard }: DemoBench, way: Way, round: number): Promise<Measured> {
  const { requests, expectBody } = way;
  const load: Load = {
    origin: placard.origin,
    method: "POST",
    paths: ["/"],
    mix: Array.from({ length: CONNECTIONS * VIEWS }, (_, visitor) =>
      requests.map(({ headers, ...sent }) => ({
        ...sent,
        method: "POST" as const,
        headers: {
          ...headers,
          "user-agent": BROWSER,
          "x-forwarded-for": `13.${round}.${visitor >> 8}.${visitor & 255}`,
        },
      })),
    ).flat(),
    requestsPerConnection: VIEWS * requests.length,
    duration: options.duration,
    connections: CONNECTIONS,
    expectBody,
  };
  const before = await placard.usage();
  const result = await client.run(load);
  const after = await placard.usage();
  const cpuSeconds = (after.cpuMicros - before.cpuMicros) / 1e6;
  return {
    result,
    pagesPerSecond: result.perSecond / requests.length,
    pagesPerCpuSecond: result.answered / requests.length / cpuSeconds,
  };
}

/** Over HTTP/1.1, in both directions. */
async function bytesOf(origin: string, requests: readonly Sent[]): Promise<number> {
  let bytes = 0;
  for (const { path, headers, body } of requests) {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const sending = request(`${origin}${path}`, {
      method: "POST",
      headers: { ...BROWSER_HEADERS, ...headers },
    });
    sending.on("error", reject);
    sending.on("response", (response) => {
      const { socket } = response;
      text(response).then(() => resolve(socket.bytesRead + socket.bytesWritten), reject);
    });
    sending.end(body);
    bytes += await promise;
  }
  return bytes;
}
