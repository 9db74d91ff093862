import { expect, it } from "vitest";
import type { StoredRequest } from "./port.ts";
import { groupsOf } from "./stored-of-requests.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
const HOUR = 3_600_000;

function aRequest(request: string, hours: number): StoredRequest {
  const reach = hours * HOUR;
  return { request, workspaceId: "ws_1", adIds: [`ad_of_${request}`], from: NOON - reach, to: NOON + reach };
}

it("reads days of the ads of a request alone whose events have no times, and not of everybody's", () => {
  const requests = [aRequest("timed", 0), aRequest("untimed", 48), aRequest("also timed", 12)];

  const groups = groupsOf(requests).map((group) => group.map(({ request }) => request));

  expect(groups).toEqual([["timed"], ["also timed"], ["untimed"]]);
});

it("asks for a hundred requests of different times at a time", () => {
  const many = Array.from({ length: 250 }, (_, n) => {
    const at = NOON + n * 60_000;
    return { ...aRequest(`r${n}`, 0), from: at, to: at };
  });

  expect(groupsOf(many).map(({ length }) => length)).toEqual([100, 100, 50]);
});

it.each([0, 0.01, 0.1, 0.5, 12, 48])(
  "reads what occurred within %d hours once for thousands of requests of any ads, not once for each hundred",
  (hours) => {
    const many = Array.from({ length: 5_000 }, (_, n) => {
      const request = aRequest(`r${n}`, hours);
      const shift = (n % 100) * hours * 10_000;
      const adIds = Array.from({ length: 10 }, (__, ad) => `ad_${n % 500}_${ad}`);
      return { ...request, adIds, from: request.from + shift, to: request.to + shift };
    });

    expect(groupsOf(many).length).toBeLessThanOrEqual(2);
  },
);
