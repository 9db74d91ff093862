export interface RateVerdict {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Milliseconds until the next window. */
  readonly resetMs: number;
}

export interface RateRule {
  readonly name: string;
  readonly points: number;
  readonly durationSeconds: number;
}

/** What all processes of an installation share: budgets of callers, and the secret that visitors are hashed with. */
export interface Limits {
  /** Takes `cost` (default 1) from the budget of `key`: `points` per `durationSeconds`. */
  consume(rule: RateRule, key: string, cost?: number): Promise<RateVerdict>;
  /**
   * The secret that visitors are hashed with on a UTC day (`2026-11-21`), gone a day later. Rejects where this process does not
   * know it and cannot share one. Processes that have used different ones agree on one of them, so ask again for each batch.
   */
  visitorSalt(day: string): Promise<string>;
  close(): Promise<void>;
}
