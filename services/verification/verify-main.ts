import { prepareProcess } from "#libs/process/prepare.ts";

await prepareProcess();
const { runOnStores } = await import("./run-command.ts");
const { parseVerify } = await import("./days.ts");
const { verify } = await import("./verify.ts");
await runOnStores({
  parse: parseVerify,
  run: (installation, order, say) => verify(installation, order, Date.now(), say),
});
