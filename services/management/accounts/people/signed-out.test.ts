import { afterAll, expect, it, vi } from "vitest";
import { ApiCaller } from "../../tests/callers.ts";
import { startManagement } from "../../tests/management.ts";

/** The requests that were made for better-auth, which takes no others. */
let handled = 0;
vi.stubGlobal(
  "Request",
  class extends Request {
    constructor(...of: ConstructorParameters<typeof Request>) {
      super(...of);
      handled += 1;
    }
  },
);
afterAll(() => void vi.unstubAllGlobals());

const service = await startManagement();
const READS = ["/get-session", "/list-sessions", "/passkey/list-user-passkeys"];

function ask(path: string, cookie: string | undefined) {
  const headers = cookie === undefined ? {} : { cookie };
  return new ApiCaller(service.origin).request("GET", `/api/auth${path}`, undefined, headers);
}

/** What two answers to different requests have alike. */
function shapeOf({ status, headers, text }: Awaited<ReturnType<typeof ask>>) {
  const id = headers.get("x-request-id") ?? "";
  const changing = ["date", "x-request-id"];
  return {
    status,
    text: text.replace(id, "its id"),
    headers: [...headers].filter(([name]) => !changing.includes(name) && name !== "content-length"),
  };
}

it.each(READS)(
  "answers %s without a cookie of ours as better-auth does, and does not ask it",
  async (path) => {
    const before = handled;
    const answers = [await ask(path, undefined), await ask(path, "theme=dark; other.session_token=a")];
    const asked = handled - before;
    const byBetterAuth = await ask(path, "placard.anything=a");

    expect(asked).toBe(0);
    expect(handled - before).toBeGreaterThan(0);
    expect(answers.map(shapeOf)).toEqual([shapeOf(byBetterAuth), shapeOf(byBetterAuth)]);
  },
);

it("limits reads that need better-auth, 600 a minute for one address, and still answers who is signed out", async () => {
  const paths = Array.from({ length: 601 }, (_, index) => (index % 2 === 0 ? "/get-session" : "/sign-up"));
  const answers = await Promise.all(paths.map((path) => ask(path, "placard.a=b")));
  const refused = answers.filter(({ status }) => status === 429);
  const signedOut = await ask("/get-session", undefined);

  expect(refused.length).toBeGreaterThan(0);
  expect(refused.length).toBeLessThan(10);
  expect([signedOut.status, signedOut.text]).toEqual([200, "null"]);
});
