/** How many of a thing one place takes, and what is said to whoever asks for more. */
export interface Cap {
  readonly most: number;
  readonly sentence: string;
}

/** Far more than anybody needs, and few enough that no list, snapshot or form of a workspace grows without end. */
export const CAPS = {
  tiers: cap(500, (most) => `A workspace has at most ${most} tiers, archived ones included.`),
  prices: cap(500, (most) => `A tier has at most ${most} prices, archived ones included.`),
  fields: cap(200, (most) => `A workspace has at most ${most} fields.`),
  apiKeys: cap(100, (most) => `A workspace has at most ${most} API keys.`),
  members: cap(500, (most) => `A workspace has at most ${most} members.`),
  invitations: cap(500, (most) => `A workspace has at most ${most} open invitations.`),
} satisfies Record<string, Cap>;

function cap(most: number, say: (most: number) => string): Cap {
  return { most, sentence: say(most) };
}
