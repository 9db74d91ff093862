import type { PlacedLimits } from "#libs/placements/index.ts";
import type { PreparedSnapshot, TrackedAd } from "./prepared-snapshot.ts";

/**
 * The ads of a workspace as far as tracking asks for them, by their position: two numbers and an id each, in as little
 * memory as that takes.
 */
export class TrackedAds {
  readonly workspaceId: string;
  readonly version: number;
  readonly limits: PlacedLimits;
  /** One after the other. */
  readonly #ids: string;
  readonly #begins: Uint32Array;
  /** Since and until of each; not a number where there is none. */
  readonly #times: Float64Array;

  constructor({ workspaceId, version, limits, ads }: PreparedSnapshot) {
    this.workspaceId = workspaceId;
    this.version = version;
    this.limits = limits;
    // Through bytes, because a text that was put together keeps the texts it is of.
    this.#ids = Buffer.from(ads.map(({ id }) => id).join(""), "latin1").toString("latin1");
    this.#begins = new Uint32Array(ads.length + 1);
    this.#times = new Float64Array(ads.length * 2);
    for (const [position, { id, servingSince, servingUntil }] of ads.entries()) {
      this.#begins[position + 1] = (this.#begins[position] ?? 0) + id.length;
      this.#times[position * 2] = servingSince ?? Number.NaN;
      this.#times[position * 2 + 1] = servingUntil ?? Number.NaN;
    }
  }

  get count(): number {
    return this.#begins.length - 1;
  }

  /** In bytes, about. */
  get size(): number {
    return this.#ids.length + this.#begins.byteLength + this.#times.byteLength + 600;
  }

  /** The ad of that id; undefined when another one, or none, is at the position. */
  at(position: number, id: string): TrackedAd | undefined {
    const begin = this.#begins[position];
    if (begin === undefined || this.#begins[position + 1] !== begin + id.length) return undefined;
    if (!this.#ids.startsWith(id, begin)) return undefined;
    const { workspaceId, limits } = this;
    return {
      id,
      workspaceId,
      servingSince: this.#time(position * 2),
      servingUntil: this.#time(position * 2 + 1),
      limits,
    };
  }

  /** By their positions. */
  ids(): string[] {
    return Array.from({ length: this.count }, (_, position) =>
      this.#ids.slice(this.#begins[position], this.#begins[position + 1]),
    );
  }

  #time(index: number): number | null {
    const time = this.#times[index] ?? Number.NaN;
    return Number.isNaN(time) ? null : time;
  }
}
