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
}

const BOUNDS: MemberBounds = { atOnce: 8, mostOfOne: 128, most: 512 };

/** The answer of a request, which Node has as `ServerResponse`. */
export interface MemberAnswer {
  /** Whether it was sent, or its connection has closed. */
  readonly closed: boolean;
  once(event: "close", listener: () => void): unknown;
  /** Closes its connection. */
  destroy(): unknown;
}

/** A request of a member from the start of its handler until its answer is sent or its connection closes. */
interface Place {
  readonly personId: string;
  readonly answer: MemberAnswer;
  isAnswered: boolean;
}

interface Person {
  readonly queue: BoundedQueue;
  places: number;
}

/**
 * Bounds what the requests of people and their keys take together in a process: connections to the database while they are at
 * work, and memory until their answers are read. One person's requests wait for each other and not for anybody else's.
 */
export class MemberPlaces {
  readonly #bounds: MemberBounds;
  /** Oldest first. */
  readonly #places = new Set<Place>();
  readonly #people = new Map<string, Person>();

  constructor(bounds: MemberBounds = BOUNDS) {
    this.#bounds = bounds;
  }

  /**
   * The result of the work, once it had its turn among the person's. Throws 429 if the person has too many requests under way. If
   * all people have, the oldest unread answer of whoever has the most is cut off; throws 503 if there is none.
   */
  async run<T>(personId: string, answer: MemberAnswer, work: () => Promise<T>): Promise<T> {
    const { mostOfOne, most } = this.#bounds;
    if ((this.#people.get(personId)?.places ?? 0) >= mostOfOne) throw tooMany();
    if (this.#places.size >= most && !this.#cutOff()) throw unavailable(RETRY_AFTER_MS);
    const place: Place = { personId, answer, isAnswered: false };
    const { queue } = this.#enter(place);
    try {
      return await queue.run(work);
    } finally {
      place.isAnswered = true;
    }
  }

  #enter(place: Place): Person {
    const { personId, answer } = place;
    const person = this.#people.get(personId) ?? { queue: this.#newQueue(), places: 0 };
    this.#people.set(personId, person);
    person.places += 1;
    this.#places.add(place);
    if (answer.closed) this.#leave(place);
    else answer.once("close", () => this.#leave(place));
    return person;
  }

  #newQueue(): BoundedQueue {
    const { atOnce, mostOfOne } = this.#bounds;
    return new BoundedQueue({ atOnce, mostWaiting: mostOfOne, refusal: tooMany });
  }

  #leave(place: Place): void {
    if (!this.#places.delete(place)) return;
    const person = this.#people.get(place.personId);
    if (person === undefined) return;
    person.places -= 1;
    if (person.places === 0) this.#people.delete(place.personId);
  }

  /** Whether there was an unread answer to cut off. */
  #cutOff(): boolean {
    const unread = [...this.#places].filter(({ isAnswered }) => isAnswered);
    const placesOf = ({ personId }: Place) => this.#people.get(personId)?.places ?? 0;
    const [first] = unread;
    if (first === undefined) return false;
    const oldest = unread.reduce((most, one) => (placesOf(one) > placesOf(most) ? one : most), first);
    this.#leave(oldest);
    oldest.answer.destroy();
    return true;
  }
}

function tooMany(): Error {
  return tooManyRequests(RETRY_AFTER_MS, TOO_MANY);
}
