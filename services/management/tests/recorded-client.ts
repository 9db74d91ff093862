import { createPlacardClient, type PlacardClient } from "#libs/client/index.ts";
import type { ManagementUnderTest } from "./management.ts";

/** What the service really answered, before the client made a value or an error of it. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** The typed client in somebody's name, with the last bare answer it got. */
export interface RecordedClient {
  readonly api: PlacardClient;
  last(): RawAnswer;
}

/** Opens a client with those headers: an authorization, a cookie, or nothing. */
export function recordedClient(
  { origin }: Pick<ManagementUnderTest, "origin">,
  headers: Readonly<Record<string, string>> = {},
): RecordedClient {
  let last: RawAnswer | undefined;
  const api = createPlacardClient({
    baseUrl: `${origin}/v1`,
    headers,
    fetch: async (request, init) => {
      const response = await fetch(request, init);
      last = { status: response.status, headers: response.headers, text: await response.clone().text() };
      return response;
    },
  });
  return {
    api,
    last() {
      if (last === undefined) throw new Error("nothing was asked yet");
      return last;
    },
  };
}
