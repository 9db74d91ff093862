import { expect, it } from "vitest";
import { createLogger } from "./logger.ts";

function logged(write: (logger: ReturnType<typeof createLogger>) => void): string {
  const lines: string[] = [];
  write(createLogger({ level: "info" }, { write: (line) => lines.push(line) }));
  return lines.join("");
}

function aPostgresError(code: string, message: string): Error {
  return Object.assign(new Error(message), {
    severity: "ERROR",
    code,
    detail: "Key (email)=(grace@example.com) already exists.",
    where: "unnamed portal parameter $1 = 'grace@example.com'",
    internalQuery: "select 'grace@example.com'",
    constraint: "people_email_key",
  });
}

it.each(["err", "error"])("keeps the values of a Postgres error out of the log, under %s", (name) => {
  const duplicate = aPostgresError(
    "23505",
    'duplicate key value violates unique constraint "people_email_key"',
  );

  const line = logged((logger) => logger.error({ [name]: duplicate }, "request failed"));

  expect(line).not.toContain("grace@example.com");
  expect(JSON.parse(line)[name]).toMatchObject({ code: "23505", constraint: "people_email_key" });
  expect(JSON.parse(line)[name].message).toContain("people_email_key");
});

it("keeps a value out of the log that the message of a Postgres error quotes", () => {
  const invalid = aPostgresError("22P02", 'invalid input syntax for type integer: "grace@example.com"');

  const line = logged((logger) => logger.warn({ err: invalid }, "request failed"));

  expect(line).not.toContain("grace@example.com");
  expect(JSON.parse(line).err.message).toBe('invalid input syntax for type integer: "…"');
});

it("keeps what a command of Redis was given out of the log, also inside another error", () => {
  const refused = Object.assign(new Error("OOM command not allowed"), {
    command: { name: "evalsha", args: ["placard:budget:sign-in:192.0.2.7", "grace@example.com"] },
  });
  const all = Object.assign(new Error("Failed to refresh slots cache."), { lastNodeError: refused });
  const several = new AggregateError([refused], "All nodes failed");

  const [line, inside, among] = [refused, all, several].map((err) =>
    logged((logger) => logger.warn({ err }, "failed")),
  );

  for (const text of [line, inside, among]) expect(text).not.toMatch(/192\.0\.2\.7|grace@example\.com/);
  expect(JSON.parse(line ?? "").err).toMatchObject({
    message: "OOM command not allowed",
    command: "evalsha",
  });
  expect(JSON.parse(inside ?? "").err.lastNodeError).toMatchObject({ command: "evalsha" });
  expect(JSON.parse(among ?? "").err.aggregateErrors).toMatchObject([{ command: "evalsha" }]);
});

it("writes the error that caused another, and any other error whole", () => {
  const error = Object.assign(new Error("outer", { cause: new Error("inner") }), {
    code: "EACCES",
    detail: "all",
  });

  const line = JSON.parse(logged((logger) => logger.warn({ err: error }, "failed")));

  expect(line.err).toMatchObject({ message: "outer: inner", code: "EACCES", detail: "all" });
});

it("keeps the values of a Postgres error out of the log where it is another error's cause", () => {
  const outer = new Error("could not store", { cause: aPostgresError("23505", "duplicate key") });

  const line = logged((logger) => logger.error({ err: outer }, "request failed"));

  expect(line).not.toContain("grace@example.com");
});
