/** An image of a creative that was submitted with an address elsewhere and has no copy of ours yet. */
export interface ImageElsewhere {
  readonly address: string;
  /** How often it was tried in vain. */
  readonly attempts: number;
  /** When it is tried next, in ISO 8601; null once it is given up. */
  readonly dueAt: string | null;
  /** What the last attempt failed with, as a sentence; null before the first. */
  readonly problem: string | null;
}
