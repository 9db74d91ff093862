import { OTHER_VALUE } from "#libs/domain/event-place.ts";
import { type AddressKey, siteOf } from "#libs/http/index.ts";
import { copyText } from "../verdict/copy-text.ts";

/** The parts of a place that requests name freely. */
export type NamedPart = keyof typeof MOST_NAMES;

export interface NameAsked {
  readonly workspaceId: string;
  /** Whose workspace it is: names of all workspaces of one owner are counted together, also of those that are deleted. */
  readonly owner: string;
  readonly part: NamedPart;
  readonly name: string;
  /** Whose request names it; null for a server of the workspace. */
  readonly address: AddressKey | null;
  /** Whether the event may make a name known. */
  readonly mayTake: boolean;
}

/** The most names of a workspace per UTC day. */
const MOST_NAMES = { placement: 1_000, path: 5_000, referrer: 2_000 } as const;
/** An address may make this part of them known within an hour, so that none can use up a workspace's names of a day. */
const PART_OF_AN_ADDRESS = 1 / 25;
/** The most names of all workspaces in this process: up to 90 MB if each has as many characters as it may. */
const MOST_IN_ALL = 200_000;
/** An owner gets no more than this part of what the others have left, so that there is always something left. */
const PART_OF_THE_REST = 1 / 8;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

type KnownParts = Readonly<Record<NamedPart, Set<string>>>;

/**
 * The names that events of the day have, per workspace. Each is a row of the statistics for each quarter of an hour, and anybody can
 * make names up, so their number is bounded; what comes beyond a bound is `(other)`. No name is forgotten before the day ends:
 * otherwise made-up names would push out the true ones.
 */
export class KnownNames {
  readonly #now: () => number;
  readonly #known = new Map<string, KnownParts>();
  readonly #ofOwner = new Map<string, number>();
  readonly #ofAddress = new Map<string, number>();
  #size = 0;
  #hour = Number.NaN;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** The name if it is known or becomes known with this event, else `(other)`. "" stays as it is. */
  bounded({ workspaceId, owner, part, name, address, mayTake }: NameAsked): string {
    if (name === "") return "";
    this.#expire();
    const parts = this.#known.get(workspaceId);
    if (parts?.[part].has(name)) return name;
    const of = parts ?? { placement: new Set(), path: new Set(), referrer: new Set() };
    const names = of[part];
    const size = this.#ofOwner.get(owner) ?? 0;
    if (!mayTake || names.size >= MOST_NAMES[part]) return OTHER_VALUE;
    if (size >= (MOST_IN_ALL - this.#size) * PART_OF_THE_REST) return OTHER_VALUE;
    if (address !== null && !this.#takeOfAddress(address, part)) return OTHER_VALUE;
    this.#known.set(workspaceId, of);
    names.add(copyText(name));
    this.#ofOwner.set(owner, size + 1);
    this.#size += 1;
    return name;
  }

  #takeOfAddress(address: AddressKey, part: NamedPart): boolean {
    const key = `${siteOf(address) ?? address} ${part}`;
    const taken = this.#ofAddress.get(key) ?? 0;
    if (taken >= MOST_NAMES[part] * PART_OF_AN_ADDRESS) return false;
    this.#ofAddress.set(key, taken + 1);
    return true;
  }

  #expire(): void {
    const hour = Math.floor(this.#now() / HOUR_MS);
    if (hour === this.#hour) return;
    const isNewDay = Math.floor((hour * HOUR_MS) / DAY_MS) !== Math.floor((this.#hour * HOUR_MS) / DAY_MS);
    this.#hour = hour;
    this.#ofAddress.clear();
    if (!isNewDay) return;
    this.#known.clear();
    this.#ofOwner.clear();
    this.#size = 0;
  }
}
