/**
 * How long a second client waits for an answer while a hostile request is worked on, in milliseconds: the shortest of
 * three tries, because a busy machine may delay one of them, while a request that holds up the process delays each.
 */
export async function waitOfSecondClient(origin: string, attack: () => Promise<unknown>): Promise<number> {
  const waits: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    const attacked = attack();
    waits.push(await longestWait(origin, attacked));
  }
  return Math.min(...waits);
}

/** Asks again and again until the attack is over. */
async function longestWait(origin: string, attacked: Promise<unknown>): Promise<number> {
  let isOver = false;
  const over = attacked.finally(() => {
    isOver = true;
  });
  let longest = 0;
  do {
    const asked = performance.now();
    const response = await fetch(`${origin}/v1/nothing`);
    await response.arrayBuffer();
    longest = Math.max(longest, performance.now() - asked);
  } while (!isOver);
  await over;
  return longest;
}
