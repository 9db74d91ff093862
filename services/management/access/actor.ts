/** Who acts: a signed-in person, or an integration that holds a key and acts as the key's maker. */
export interface Actor {
  readonly kind: "person" | "key";
  /** The person's id, or the key's. */
  readonly id: string;
  /** The person behind it: the one signed in, or the key's maker. */
  readonly personId: string;
  readonly name: string;
}
