import { request } from "node:http";
import { servedAds, tracked } from "#libs/contract/serving.ts";

/** Somebody's browser: an address on the loopback network and a user agent. */
export interface Visitor {
  readonly address: string;
  readonly userAgent: string;
}

const ANSWER_WITHIN_MS = 10_000;
const VISITORS = 250 * 250 * 250;

/** Visitor number `index`, different from every other. Linux answers to all of 127.0.0.0/8 without being told. */
export function aVisitor(index: number): Visitor {
  if (index < 0 || index >= VISITORS) throw new RangeError(`there is no visitor ${index}`);
  const parts = [Math.floor(index / 62_500) + 1, (Math.floor(index / 250) % 250) + 1, (index % 250) + 1];
  return {
    address: `127.${parts.join(".")}`,
    userAgent: `Mozilla/5.0 (X11; Linux x86_64; rv:${100 + (index % 41)}.0) Gecko/20100101 Firefox/${100 + (index % 41)}.0`,
  };
}

/** Reports an event; true when the answer promises that it is stored. Rejects when there is no such answer. */
export async function report(
  origin: string,
  adId: string,
  kind: "impressions" | "clicks",
  visitor: Visitor,
): Promise<boolean> {
  const { status, body } = await send("POST", `${origin}/v1/ads/${adId}/${kind}`, visitor);
  if (status !== 200) throw new Error(`${kind} of ${adId} were answered with ${status}: ${body}`);
  return tracked.parse(JSON.parse(body)).success;
}

/** The ids of the ads that the visitor is shown. */
export async function viewAds(origin: string, workspaceId: string, visitor = aVisitor(0)): Promise<string[]> {
  const url = `${origin}/v1/workspaces/${workspaceId}/ads/serving?count=50`;
  const { status, body } = await send("GET", url, visitor);
  if (status !== 200) throw new Error(`serving answered ${status}: ${body}`);
  return servedAds.parse(JSON.parse(body)).ads.map(({ id }) => id);
}

/** A connection for each request, so that none is kept to a process that is gone. */
function send(method: string, url: string, visitor: Visitor): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, {
      method,
      agent: false,
      localAddress: visitor.address,
      headers: { "user-agent": visitor.userAgent },
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    outgoing.once("error", reject);
    outgoing.once("response", (response) => {
      let body = "";
      response.setEncoding("utf8");
      response.on("data", (text: string) => {
        body += text;
      });
      response.once("error", reject);
      response.once("end", () => resolve({ status: response.statusCode ?? 0, body }));
      response.once("aborted", () => reject(new Error("the answer was cut off")));
    });
    outgoing.end();
  });
}
