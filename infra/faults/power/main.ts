// Cuts the power of the whole product at random moments of its life: npm run test:power -- --cuts 50 --seed 1
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createRandom } from "../random.ts";
import { whyNoPowerCuts } from "./disk.ts";
import { MOMENTS } from "./moments.ts";
import { Rig } from "./rig.ts";

const { values } = parseArgs({
  options: { cuts: { type: "string", default: "6" }, seed: { type: "string" } },
});
const cuts = Number(values.cuts);
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));

const reason = whyNoPowerCuts();
if (reason === null) process.exitCode = await cutAgainAndAgain();
else console.log(`SKIPPED: no power is cut here: ${reason}.`);

/** Resolves with the exit code. */
async function cutAgainAndAgain(): Promise<number> {
  const below = await mkdtemp(join(tmpdir(), "placard-power-"));
  const rig = await Rig.make(below);
  const random = createRandom(seed, "power");
  const total = { acknowledged: 0, missing: 0, doubled: 0, starts: 0, failed: 0 };
  console.log(`${cuts} power cuts, seed ${seed}`);
  try {
    for (let cut = 0; cut < cuts; cut += 1) {
      const moment = MOMENTS[cut % MOMENTS.length] ?? MOMENTS[0];
      try {
        await moment.lead(rig, random);
        const { acknowledged, missing, doubled, startedIn, problems } = await rig.cutAndJudge();
        total.starts += 1;
        total.missing += missing;
        total.doubled += doubled;
        total.failed += problems.length > 0 ? 1 : 0;
        if (cut % MOMENTS.length === MOMENTS.length - 1 || cut === cuts - 1)
          total.acknowledged += acknowledged;
        console.log(
          `${cut + 1}. ${moment.name}: ${acknowledged} acknowledged, ${missing} missing, ${doubled} doubled, started in ${startedIn.toFixed(1)} s`,
        );
        for (const problem of problems) console.log(`   ${problem}`);
      } catch (error) {
        total.failed += 1;
        console.log(`${cut + 1}. ${moment.name}: FAILED ${error instanceof Error ? error.message : error}`);
        // What a failed start leaves would spoil the next cut.
        await rig.product.kill();
        await rig.replaceDisk();
      }
    }
  } finally {
    await rig.close();
    await rm(below, { recursive: true, force: true });
  }
  console.log(
    `In all: ${total.acknowledged} acknowledged, ${total.missing} missing, ${total.doubled} doubled, ${total.starts} of ${cuts} starts`,
  );
  return total.failed === 0 ? 0 : 1;
}
