/** A part of a table, by the name of its folder: `partition_min_max_level`, and the number of a mutation behind it. */
export interface Part {
  readonly name: string;
  readonly partition: string;
  /** The first and the last of the inserted blocks that it holds; numbers are the table's own and only grow. */
  readonly min: number;
  readonly max: number;
}

/** Null for what is no part in place, such as `tmp_insert_…`. */
export function readPart(name: string): Part | null {
  const [, partition, min, max] = /^([0-9a-z-]+)_(\d+)_(\d+)_\d+(?:_\d+)?$/.exec(name) ?? [];
  return partition === undefined ? null : { name, partition, min: Number(min), max: Number(max) };
}

/** Whether the part holds every block of the other. A merged part covers those that it was made of. */
export function covers(whole: Part, part: Part): boolean {
  return whole.partition === part.partition && whole.min <= part.min && whole.max >= part.max;
}
