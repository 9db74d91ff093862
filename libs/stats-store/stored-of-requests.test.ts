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

  expect(groups).toEqual([["untimed"], ["also timed"], ["timed"]]);
});

it("asks for a hundred requests of different times, and for a thousand ads, at a time", () => {
  const many = Array.from({ length: 250 }, (_, n) => {
    const at = NOON + n * 60_000;
    return { ...aRequest(`r${n}`, 0), from: at, to: at };
  });
  const wide = many.map((request) => ({
    ...request,
    adIds: Array.from({ length: 400 }, (_, n) => `${request.request} ${n}`),
  }));

  expect(groupsOf(many).map(({ length }) => length)).toEqual([100, 100, 50]);
  expect(new Set(groupsOf(wide).map(({ length }) => length))).toEqual(new Set([2]));
});

it("reads days of an ad once for thousands of requests, not once for each hundred", () => {
  const ofOneAd = (hours: number) =>
    Array.from({ length: 3_000 }, (_, n) => ({ ...aRequest(`r${n}`, hours), adIds: ["ad_1"] }));
  const many = [...ofOneAd(48), ...ofOneAd(12), ...ofOneAd(0)];

  expect(groupsOf(many).map(({ length }) => length)).toEqual([3_000, 3_000, 3_000]);
});
