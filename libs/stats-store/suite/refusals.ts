import fc from "fast-check";
import { expect, it } from "vitest";
import { encodeEventRow } from "#libs/domain/event.ts";
import { NOON, rowsOf, type StatsStoreRig } from "./rig.ts";

/** What is refused, whole and for good. */
export function testRefusals(rig: StatsStoreRig): void {
  it("refuses a range with a bad line whole, and takes the good ones under the same token after", async () => {
    const token = rig.newToken();
    const good = rowsOf([rig.anEvent(), rig.anEvent()]);

    const refused = rig.store.insertRange({ token, rows: [...good, Buffer.from("not a row\n")] });

    await expect(refused).rejects.toMatchObject({
      name: "StatsStoreError",
      code: "REFUSED",
      canRetry: false,
    });
    expect(await rig.stored()).toEqual({ events: 0, daily: 0 });
    await rig.store.insertRange({ token, rows: good });
    expect(await rig.stored()).toEqual({ events: 2, daily: 2 });
  });

  it.each([
    ["an unknown kind", () => encodeEventRow(rig.anEvent()).replace('"impression"', '"view"')],
    ["an unknown verdict", () => encodeEventRow(rig.anEvent()).replace('"valid"', '"fine"')],
    ["a visitor that is too long", () => encodeEventRow(rig.anEvent({ visitor: "0".repeat(17) }))],
    ["a null", () => encodeEventRow(rig.anEvent()).replace('"impression"', "null")],
    ["a time that is text", () => encodeEventRow(rig.anEvent()).replace(String(NOON), '"yesterday"')],
    ["a time with a fraction", () => encodeEventRow(rig.anEvent()).replace(String(NOON), "1793000000.5")],
    ["a time before the service", () => encodeEventRow(rig.anEvent({ occurredAt: 5 }))],
    ["a time far ahead", () => encodeEventRow(rig.anEvent({ occurredAt: 9e15 }))],
    ["a column too few", () => '["evt","ws","ad"]\n'],
    ["a column too many", () => encodeEventRow(rig.anEvent()).replace("]", ',"more"]')],
    ["an object", () => '{"event_id":"evt"}\n'],
    ["a line cut short", () => encodeEventRow(rig.anEvent()).slice(0, 40)],
    ["broken escapes", () => '["\\u12","ws","ad","click","valid","0000000000000000",1793000000000]\n'],
    ["a null byte for a line", () => "\u0000\n"],
  ])("refuses %s", async (_, line) => {
    const refused = rig.store.insertRange({ token: rig.newToken(), rows: [Buffer.from(line())] });

    await expect(refused).rejects.toMatchObject({ code: "REFUSED" });
    expect(await rig.stored()).toEqual({ events: 0, daily: 0 });
  });

  it("skips empty lines, and takes what follows one for a row and never for a statement", async () => {
    const first = rowsOf([rig.anEvent()]);
    const second = rowsOf([rig.anEvent()]);
    const statement = Buffer.from("\n\nDROP TABLE IF EXISTS daily\n");

    const withEmptyLines = [
      Buffer.from("\n\n"),
      ...first,
      Buffer.from("\n\n\n"),
      ...second,
      Buffer.from("\n"),
    ];
    await rig.store.insertRange({ token: rig.newToken(), rows: withEmptyLines });
    const refused = rig.store.insertRange({ token: rig.newToken(), rows: [...first, statement] });

    await expect(refused).rejects.toMatchObject({ code: "REFUSED" });
    expect(await rig.stored()).toEqual({ events: 2, daily: 2 });
  });

  it("never takes a damaged line for an outage", async () => {
    const line = encodeEventRow(rig.anEvent());
    const damaged = fc
      .tuple(fc.nat(line.length - 2), fc.nat(4), fc.uint8Array({ maxLength: 4 }))
      .map(([at, gone, bytes]) =>
        Buffer.concat([Buffer.from(line.slice(0, at)), bytes, Buffer.from(line.slice(at + gone))]),
      );

    await fc.assert(
      fc.asyncProperty(damaged, async (bytes) => {
        const outcome = await rig.store
          .insertRange({ token: rig.newToken(), rows: [bytes] })
          .catch((error) => (error.code === "REFUSED" ? "REFUSED" : String(error.message)));
        expect([undefined, "REFUSED"]).toContain(outcome);
      }),
      { numRuns: 80 },
    );
    // So many inserts take most of a minute on a busy machine.
  });
}
