/** A connected account, or null for the platform's own. */
export type Account = string | null;

export interface AccountRequest {
  readonly workspaceId: string;
  /** Fills in the first page of the onboarding. */
  readonly email?: string | undefined;
  readonly idempotencyKey: string;
}

/** The state of a connected account. */
export interface ProcessorAccount {
  readonly id: string;
  /** Whether advertisers can be charged. */
  readonly chargesEnabled: boolean;
  /** Whether the money is paid out to the owner's bank. */
  readonly payoutsEnabled: boolean;
  /** Whether the owner has completed the onboarding. */
  readonly detailsSubmitted: boolean;
}
