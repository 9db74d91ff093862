import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseSync, Visitor } from "vite";
import { expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../..");
/** What tells the address of a single caller. */
const SINGLE = new Set(["ip", "ips", "remoteAddress"]);
/** Where single addresses are read: to make keys of them, and to see who is on this machine. */
const READERS = [/^libs\/http\//, /^libs\/payment-sandbox\/pages\/operator-routes\.ts$/];

/** Each place in the source that reads the address of a single caller, as `file:line`. */
function findSingleAddresses(file: string, source: string): string[] {
  const found: string[] = [];
  const add = (start: number) => found.push(`${file}:${source.slice(0, start).split("\n").length}`);
  new Visitor({
    MemberExpression({ property, start }) {
      if (property.type === "Identifier" && SINGLE.has(property.name)) add(start);
    },
    ObjectPattern({ properties }) {
      for (const property of properties) {
        if (property.type === "RestElement" || property.key.type !== "Identifier") continue;
        if (SINGLE.has(property.key.name)) add(property.start);
      }
    },
  }).visit(parseSync(file, source).program);
  return found;
}

it("counts nothing by the address of a single caller: limits take an AddressKey, the /64 network of IPv6", () => {
  const files = globSync("{libs,services}/**/*.ts", { cwd: root }).filter(
    (file) => !/\.test\.ts$|\/tests\//.test(file) && !READERS.some((reader) => reader.test(file)),
  );

  const found = files.flatMap((file) => findSingleAddresses(file, readFileSync(join(root, file), "utf8")));

  expect(files.length).toBeGreaterThan(300);
  expect(found).toEqual([]);
});

it.each([
  "limits.consume(RATE, request.ip);",
  "const limit = ({ ip }: FastifyRequest) => limits.consume(RATE, ip);",
  'limits.consume(RATE, request.socket.remoteAddress ?? "");',
])("finds a limit of single addresses: %s", (source) => {
  expect(findSingleAddresses("services/new.ts", source)).toEqual(["services/new.ts:1"]);
});
