import { expect, it, vi } from "vitest";
import { ApiCaller } from "../../tests/callers.ts";
import { startManagement } from "../../tests/management.ts";
import { aPerson } from "../../tests/story.ts";
import { inTurn } from "./passwords.ts";

const service = await startManagement({ unlimited: true, keepsPasswordsWell: true, behindProxy: true });
/** A second process of the installation, the one that keeps to its limits. */
const limited = await startManagement({ beside: service, keepsPasswordsWell: true, behindProxy: true });
const PASSWORD = "correct horse battery";

it("hashes two passwords at a time, whatever they are for", async () => {
  let running = 0;
  let most = 0;
  const count = async <T>(result: T) => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
    return result;
  };
  const passwords = inTurn({ hash: () => count("hash"), verify: () => count(true) });

  await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      n % 2 === 0 ? passwords.hash("p") : passwords.verify({ hash: "h", password: "p" }),
    ),
  );

  expect(most).toBe(2);
});

function from(address: string): ApiCaller {
  return new ApiCaller(service.origin, { "x-forwarded-for": address });
}

it("lets others sign in while one network sends more sign-ins than can be worked on", async () => {
  const person = await aPerson(service, "Ada Example");
  const flood = Array.from({ length: 120 }, (_, n) =>
    from(`2001:db8:7:${n}::1`).request("POST", "/api/auth/sign-in/email", {
      email: `${n}@example.org`,
      password: PASSWORD,
    }),
  );
  const others = Array.from({ length: 5 }, (_, n) =>
    from(`198.51.100.${n}`).request("POST", "/api/auth/sign-in/email", {
      email: person.email,
      password: PASSWORD,
    }),
  );

  const [ofNetwork, ofOthers] = await Promise.all([Promise.all(flood), Promise.all(others)]);

  expect(ofOthers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  const refused = ofNetwork.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.every(({ headers }) => headers.get("retry-after") === "3")).toBe(true);
  expect(ofNetwork.filter(({ status }) => ![401, 429].includes(status))).toEqual([]);
});

it("lets others sign in while strangers wait in the brake of accounts that were guessed at", async () => {
  const person = await aPerson(service, "Ada Example");
  const accounts = ["one@example.net", "two@example.net", "three@example.net"];
  const guess = (email: string, address: string) =>
    new ApiCaller(limited.origin, { "x-forwarded-for": address }).request("POST", "/api/auth/sign-in/email", {
      email,
      password: PASSWORD,
    });
  for (let n = 0; n < 30; n += 1) {
    await Promise.all(accounts.map((email, at) => guess(email, `203.0.${n}.${at}`)));
  }
  const statuses: number[] = [];
  const guesses = accounts.flatMap((email, at) =>
    Array.from({ length: 25 }, async (_, n) => {
      statuses.push((await guess(email, `203.1.${n}.${at}`)).status);
    }),
  );
  // 20 of an account wait.
  await vi.waitFor(() => expect(statuses).toEqual(Array.from({ length: 15 }, () => 429)), 20_000);

  const own = await guess(person.email, "198.51.100.77");

  expect(own.status).toBe(200);
  expect(statuses).toHaveLength(15);
  await Promise.all(guesses);
});

it("refuses with 503 and Retry-After what would wait too long, at every endpoint that takes a password", async () => {
  const person = await aPerson(service, "Grace Example");
  const anybody = new ApiCaller(service.origin);
  const flood = Array.from({ length: 80 }, (_, n) =>
    from(`192.0.2.${n}`).request("POST", "/api/auth/sign-in/email", {
      email: `${n}@example.com`,
      password: PASSWORD,
    }),
  );
  const others = [
    anybody.request("POST", "/api/auth/sign-up/email", {
      name: "Sol",
      email: "sol@example.com",
      password: PASSWORD,
    }),
    person.caller.request("POST", "/api/auth/confirm-password", { password: PASSWORD }),
    person.caller.request("DELETE", "/v1/account", { password: "not this one" }),
  ];

  const answers = await Promise.all([...flood, ...others]);
  const refused = answers.filter(({ status }) => status === 503);
  const afterwards = await anybody.request("POST", "/api/auth/sign-in/email", {
    email: person.email,
    password: PASSWORD,
  });

  expect(answers.filter(({ status }) => ![200, 401, 422, 503].includes(status))).toEqual([]);
  expect(refused.length).toBeGreaterThanOrEqual(83 - 52 - 10);
  for (const { headers, text } of refused) {
    expect(headers.get("retry-after")).toBe("3");
    expect(JSON.parse(text).code).toBe("SERVICE_UNAVAILABLE");
  }
  expect(afterwards.status).toBe(200);
});
