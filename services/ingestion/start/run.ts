import { runService } from "#libs/process/index.ts";
import { readConfiguration } from "./configuration.ts";
import { startIngestionService } from "./ingestion.ts";

await runService({ name: "Placard ingestion", readConfiguration, start: startIngestionService });
