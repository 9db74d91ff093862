import { runService } from "#libs/process/index.ts";
import { readConfiguration } from "./configuration.ts";
import { startManagement } from "./management.ts";

await runService({ name: "Placard management", readConfiguration, start: startManagement });
