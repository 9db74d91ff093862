import { EventEmitter } from "node:events";
import { connect } from "node:net";
import { Readable } from "node:stream";
import { expect, it, onTestFinished } from "vitest";
import { startTestServer } from "#libs/http/tests/test-server.ts";
import { type MemberAnswer, type MemberBounds, MemberPlaces } from "./member-places.ts";

/** An answer of a server, as far as places go. */
class AnAnswer extends EventEmitter implements MemberAnswer {
  closed = false;
  headersSent = false;

  close(): void {
    this.closed = true;
    this.emit("close");
  }

  destroy(): void {
    this.close();
  }
}

function aHall(bounds: Partial<MemberBounds> = {}) {
  const places = new MemberPlaces({ atOnce: 2, mostOfOne: 3, most: 4, mostUnread: 1_000_000, ...bounds });
  const atWork: string[] = [];
  const ends: (() => void)[] = [];
  /** A request of a person, that is at work until it is told to end. */
  const ask = (person: string) => {
    const answer = new AnAnswer();
    const done = places
      .run(person, answer, async () => {
        atWork.push(person);
        await new Promise<void>((resolve) => ends.push(resolve));
        answer.headersSent = true;
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
  return { ask, atWork, endAll, places };
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

it("cuts off an answer that is being read when its work lasts as long", async () => {
  const { ask, endAll } = aHall();
  const slow = ["grace", "ada", "ada"].map(ask);
  ask("ada");
  await new Promise(setImmediate);
  for (const { answer } of slow) answer.headersSent = true;

  const next = ask("edsger");
  const closed = slow.map(({ answer }) => answer.closed);
  await endAll();

  expect(closed).toEqual([false, true, false]);
  expect(await next.done).toBe("done");
});

it("refuses the last waiting request of the person with the most, so that a person without one gets a place", async () => {
  const { ask, atWork, endAll } = aHall();
  const asked = ["ada", "ada", "ada", "grace"].map(ask);
  await new Promise(setImmediate);

  const next = ask("edsger");
  const refused = await asked[2]?.done;
  await endAll();

  expect(refused).toBe(429);
  expect(await Promise.all([next, ...asked].map(({ done }) => done))).toEqual([
    "done",
    "done",
    "done",
    429,
    "done",
  ]);
  expect(atWork).toEqual(["ada", "ada", "grace", "edsger"]);
});

it("answers 503 where all have too many at work, or nobody has more", async () => {
  const { ask, endAll } = aHall({ atOnce: 1 });
  for (const person of ["ada", "grace", "edsger", "barbara"]) ask(person);
  await new Promise(setImmediate);

  const refused = await ask("alan").done;
  await endAll();
  const again = aHall({ atOnce: 1 });
  for (const person of ["ada", "ada", "grace", "grace"]) again.ask(person);
  const refusedOfMany = [await again.ask("ada").done, await again.ask("grace").done];
  await again.endAll();

  expect([refused, refusedOfMany]).toEqual([503, [503, 503]]);
});

it("keeps the place of work whose connection closes, and does not begin what only waits", async () => {
  const { ask, atWork, endAll } = aHall();
  const asked = ["ada", "ada", "ada"].map(ask);
  await new Promise(setImmediate);

  for (const { answer } of asked) answer.close();
  const more = ["ada", "ada"].map(ask);
  const [second] = more.slice(1);
  await new Promise(setImmediate);
  const before = [...atWork];
  await endAll();

  expect(before).toEqual(["ada", "ada"]);
  expect(await Promise.all(asked.map(({ done }) => done))).toEqual(["done", "done", 429]);
  expect(await second?.done).toBe(429);
  expect(atWork).toHaveLength(3);
});

it("cuts off the oldest unread answer of the person whose answers take the most, where all take too much", async () => {
  const { ask, endAll, places } = aHall({ most: 9 });
  const asked = ["grace", "ada", "ada", "ada"].map(ask);
  await endAll();
  const closed = () => asked.map(({ answer }) => answer.closed);

  for (const { answer } of asked) places.weigh(answer, 240_000);
  const allFit = closed();
  const last = ask("grace");
  await endAll();
  places.weigh(last.answer, 100_000);
  const tooMuch = closed();
  asked[2]?.answer.close();
  places.weigh(ask("edsger").answer, 240_000);
  await endAll();

  expect(allFit).toEqual([false, false, false, false]);
  expect(tooMuch).toEqual([false, true, false, false]);
  expect(closed()).toEqual([false, true, true, false]);
});

/** More than the connections of this machine keep for a reader who does not read. */
function* aLargeFile() {
  for (let part = 0; part < 64; part += 1) yield Buffer.alloc(1024 * 1024);
}

it("cuts off a file that nobody reads, so that another person is answered", async () => {
  const places = new MemberPlaces({ atOnce: 1, mostOfOne: 2, most: 2, mostUnread: 1_000_000 });
  const asked: string[] = [];
  const server = await startTestServer((app) => {
    app.get<{ Params: { person: string } }>("/of/:person", (request, reply) => {
      const { person } = request.params;
      asked.push(person);
      // Who waits for a reply with a stream waits until it is sent.
      return places.run(person, reply.raw, async () =>
        reply.send(person === "ada" ? Readable.from(aLargeFile()) : "hello"),
      );
    });
  });
  const sockets = ["ada", "ada"].map((person) => {
    const socket = connect(Number(new URL(server.origin).port), "127.0.0.1").pause();
    socket.write(`GET /of/${person} HTTP/1.1\r\nhost: ads.example.com\r\n\r\n`);
    return socket;
  });
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await server.close();
  });
  await expect.poll(() => asked).toEqual(["ada", "ada"]);

  const { status } = await server.fetch("/of/grace");

  expect(status).toBe(200);
});
