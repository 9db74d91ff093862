import { EventEmitter } from "node:events";
import { expect, it } from "vitest";
import { type MemberAnswer, type MemberBounds, MemberPlaces } from "./member-places.ts";

/** An answer of a server, as far as places go. */
class AnAnswer extends EventEmitter implements MemberAnswer {
  closed = false;

  close(): void {
    this.closed = true;
    this.emit("close");
  }

  destroy(): void {
    this.close();
  }
}

function aHall(bounds: Partial<MemberBounds> = {}) {
  const places = new MemberPlaces({ atOnce: 2, mostOfOne: 3, most: 4, ...bounds });
  const atWork: string[] = [];
  const ends: (() => void)[] = [];
  /** A request of a person, that is at work until it is told to end. */
  const ask = (person: string) => {
    const answer = new AnAnswer();
    const done = places
      .run(person, answer, async () => {
        atWork.push(person);
        await new Promise<void>((resolve) => ends.push(resolve));
        return "done";
      })
      .catch(({ status }: { status: number }) => status);
    return { answer, done };
  };
  const endAll = async () => {
    do {
      for (const end of ends.splice(0)) end();
      await new Promise(setImmediate);
    } while (ends.length > 0);
  };
  return { ask, atWork, endAll };
}

it("lets one person's requests wait for each other, and nobody else's", async () => {
  const { ask, atWork, endAll } = aHall();

  const asked = ["ada", "ada", "ada", "grace"].map(ask);
  await new Promise(setImmediate);
  const before = [...atWork];
  await endAll();

  expect(before).toEqual(["ada", "ada", "grace"]);
  expect(await Promise.all(asked.map(({ done }) => done))).toEqual(["done", "done", "done", "done"]);
});

it("refuses more of one person until an answer is read or its connection closes", async () => {
  const { ask, endAll } = aHall();
  const first = ask("ada");
  ask("ada");
  ask("ada");
  await endAll();

  const refused = await ask("ada").done;
  first.answer.close();
  const next = ask("ada");
  await endAll();

  expect([refused, await next.done]).toEqual([429, "done"]);
});

it("cuts off the oldest unread answer of whoever has the most when all have too many, and never work", async () => {
  const { ask, endAll } = aHall();
  const unread = ["grace", "ada", "ada", "ada"].map(ask);
  await endAll();

  const next = ask("edsger");
  const closed = unread.map(({ answer }) => answer.closed);
  await endAll();

  expect(closed).toEqual([false, true, false, false]);
  expect(await next.done).toBe("done");
});

it("answers 503 where all have too many at work", async () => {
  const { ask, endAll } = aHall();
  for (const person of ["ada", "ada", "ada", "grace"]) ask(person);

  const refused = await ask("edsger").done;
  await endAll();

  expect(refused).toBe(503);
});
