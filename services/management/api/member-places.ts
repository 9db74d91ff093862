import { BoundedQueue } from "#libs/async/index.ts";
import { tooManyRequests, unavailable } from "#libs/http/index.ts";

const RETRY_AFTER_MS = 1_000;
const TOO_MANY = "Too many of your requests are under way. Wait for their answers, and send fewer at a time.";

export interface MemberBounds {
  /** Handlers of one person that run at a time; fewer than there are connections to the database. */
  readonly atOnce: number;
  /** Requests of one person under way: more than a key may send in a minute. */
  readonly mostOfOne: number;
  /** Requests of all people under way. */
  readonly most: number;
  /** What the long answers of all people may take until they are read, in characters. */
  readonly mostUnread: number;
}

const BOUNDS: MemberBounds = { atOnce: 8, mostOfOne: 128, most: 512, mostUnread: 256 * 1024 * 1024 };
/** Characters of an answer that is not weighed: 512 of them take little. */
const SHORT = 64 * 1024;

/** The answer of a request, which Node has as `ServerResponse`. */
export interface MemberAnswer {
  /** Whether it was sent, or its connection has closed. */
  readonly closed: boolean;
  /** Whether it has begun, so that it waits for its reader. */
  readonly headersSent: boolean;
  once(event: "close", listener: () => void): unknown;
  /** Closes its connection. */
  destroy(): unknown;
}

/** A request of a member from the start of its handler until its answer is sent or its connection closes. */
interface Place {
  readonly personId: string;
  readonly answer: MemberAnswer;
  state: "waiting" | "at work" | "done";
  /** Characters of its answer, once it is written; 0 for a short one. */
  length: number;
  /** Ends its wait for a turn. */
  readonly refuse: (error: Error) => void;
}

interface Person {
  readonly queue: BoundedQueue;
  places: number;
}

/**
 * Bounds what the requests of people and their keys take together in a process: connections to the database while they are at
 * work, and memory until their answers are read. One person's requests wait for each other and not for anybody else's: where
 * all places are taken, the person with the most gives one up to a person with fewer.
 */
export class MemberPlaces {
  readonly #bounds: MemberBounds;
  /** Oldest first. */
  readonly #places = new Set<Place>();
  readonly #people = new Map<string, Person>();
  #unread = 0;

  constructor(bounds: MemberBounds = BOUNDS) {
    this.#bounds = bounds;
  }

  /**
   * The result of the work, once it had its turn among the person's; work may last until its answer is read. It does not begin
   * if the connection closes before its turn. Throws 429 if the person has too many requests under way. If all people have,
   * the person with the most, if more than this one has, loses their oldest unread answer, which is cut off, else their last request
   * that waits for its turn, with 429; throws 503 if there is neither.
   */
  async run<T>(personId: string, answer: MemberAnswer, work: () => Promise<T>): Promise<T> {
    const { mostOfOne, most } = this.#bounds;
    const own = this.#placesOf(personId);
    if (own >= mostOfOne) throw tooMany();
    if (this.#places.size >= most && !this.#makeRoom(own)) throw unavailable(RETRY_AFTER_MS);
    const { promise: refused, reject: refuse } = Promise.withResolvers<never>();
    const place: Place = { personId, answer, state: "waiting", length: 0, refuse };
    const { queue } = this.#enter(place);
    const done = queue.run(async () => {
      if (!this.#places.has(place)) throw tooMany();
      place.state = "at work";
      try {
        return await work();
      } finally {
        place.state = "done";
        if (answer.closed) this.#leave(place);
      }
    });
    return await Promise.race([done, refused]);
  }

  /**
   * Counts what an answer takes until it is read, in characters or bytes. Where all take too much together, the person whose answers take
   * the most loses the oldest of them, which is cut off.
   */
  weigh(answer: MemberAnswer, length: number): void {
    if (length <= SHORT) return;
    const place = [...this.#places].find((one) => one.answer === answer);
    if (place === undefined) return;
    this.#unread += length - place.length;
    place.length = length;
    while (this.#unread > this.#bounds.mostUnread) this.#lighten();
  }

  #lighten(): void {
    const long = [...this.#places].filter(({ length }) => length > 0);
    const byPerson = Map.groupBy(long, ({ personId }) => personId);
    const [heaviest = []] = [...byPerson.values()].toSorted((one, other) => lengthOf(other) - lengthOf(one));
    const [oldest] = heaviest;
    if (oldest === undefined) return;
    this.#leave(oldest);
    oldest.answer.destroy();
  }

  #placesOf(personId: string): number {
    return this.#people.get(personId)?.places ?? 0;
  }

  #enter(place: Place): Person {
    const { personId, answer } = place;
    const person = this.#people.get(personId) ?? { queue: this.#newQueue(), places: 0 };
    this.#people.set(personId, person);
    person.places += 1;
    this.#places.add(place);
    if (answer.closed) this.#close(place);
    else answer.once("close", () => this.#close(place));
    return person;
  }

  #newQueue(): BoundedQueue {
    const { atOnce, mostOfOne } = this.#bounds;
    return new BoundedQueue({ atOnce, limit: { mostWaiting: mostOfOne, refusal: tooMany } });
  }

  /** Work keeps its place after its reader has hung up, because it continues: otherwise one person could start any amount of it. */
  #close(place: Place): void {
    if (place.state === "at work") return;
    this.#leave(place);
    if (place.state === "waiting") place.refuse(tooMany());
  }

  #leave(place: Place): void {
    if (!this.#places.delete(place)) return;
    this.#unread -= place.length;
    const person = this.#people.get(place.personId);
    if (person === undefined) return;
    person.places -= 1;
    if (person.places === 0) this.#people.delete(place.personId);
  }

  /** Whether a person with more places than `own` had one to give up. */
  #makeRoom(own: number): boolean {
    let most = own;
    let greatest: string | undefined;
    const given = [...this.#places].filter((place) => isUnread(place) || place.state === "waiting");
    for (const { personId } of given) {
      const places = this.#placesOf(personId);
      if (places <= most) continue;
      most = places;
      greatest = personId;
    }
    const theirs = given.filter(({ personId }) => personId === greatest);
    const lost = theirs.find(isUnread) ?? theirs.at(-1);
    if (lost === undefined) return false;
    this.#leave(lost);
    if (isUnread(lost)) lost.answer.destroy();
    else lost.refuse(tooMany());
    return true;
  }
}

function isUnread({ answer }: Place): boolean {
  return answer.headersSent;
}

function lengthOf(places: readonly Place[]): number {
  return places.reduce((sum, { length }) => sum + length, 0);
}

function tooMany(): Error {
  return tooManyRequests(RETRY_AFTER_MS, TOO_MANY);
}
