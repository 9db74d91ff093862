import { prepareProcess } from "#libs/process/prepare.ts";

await prepareProcess();
await import("./start/run.ts");
