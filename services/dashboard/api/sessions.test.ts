import { expect, it } from "vitest";
import { readSessions } from "./sessions.ts";

it("lists this session first and the others by their last use, and leaves out what is none", () => {
  const one = (id: string, updatedAt: string) => ({
    id,
    token: `token ${id}`,
    createdAt: "2026-11-01T00:00:00.000Z",
    updatedAt,
    ipAddress: "",
    userAgent: id === "here" ? "Firefox on Windows" : "",
  });

  const sessions = readSessions(
    [
      one("old", "2026-11-02T00:00:00.000Z"),
      one("new", "2026-11-04T00:00:00.000Z"),
      one("here", "2026-11-03T00:00:00.000Z"),
      null,
    ],
    "here",
  );

  expect(sessions.map(({ id, isCurrent, device }) => [id, isCurrent, device])).toEqual([
    ["here", true, "Firefox on Windows"],
    ["new", false, "Unknown device"],
    ["old", false, "Unknown device"],
  ]);
  expect(readSessions(null, "here")).toEqual([]);
});
