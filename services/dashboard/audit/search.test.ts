import { expect, it } from "vitest";
import { auditInput, readAuditSearch } from "./search.ts";

it("leaves out what the payment processor reported, unless the address asks for it", () => {
  expect(auditInput("ws_1", readAuditSearch({}))).toEqual({
    workspaceId: "ws_1",
    page: 1,
    actorKind: "notProcessor",
  });
  expect(auditInput("ws_1", readAuditSearch({ by: "all" }))).toEqual({ workspaceId: "ws_1", page: 1 });
  expect(auditInput("ws_1", readAuditSearch({ by: "processor" }))).toMatchObject({ actorKind: "processor" });
});

it("asks for a person, a resource or an action, and whole days", () => {
  const input = auditInput("ws_1", {
    by: "usr_01",
    what: "tier.archive",
    from: "2026-11-01",
    to: "2026-11-01",
    page: 2,
  });

  expect(input).toMatchObject({ actorId: "usr_01", action: "tier.archive", page: 2 });
  expect(Date.parse(input.until ?? "") - Date.parse(input.from ?? "")).toBe(86_400_000);
  expect(auditInput("ws_1", { what: "tier" })).toMatchObject({ resourceKind: "tier" });
});

it("ignores an address that says nothing that there is", () => {
  const nothing = { by: "cat", what: "tier.eat", from: "yesterday", to: "2026-13-45", page: 0 };

  expect(readAuditSearch(nothing)).toEqual({});
  expect(readAuditSearch({ by: ["all"], what: { a: 1 }, from: 5, to: null })).toEqual({});
});
