import { prepareProcess } from "#libs/process/prepare.ts";

await prepareProcess();
await import("./run.ts");
