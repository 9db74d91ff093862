import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import {
  type ClickHouseAddress,
  clickHouseRecipe,
  kafkaRecipe,
  postgresRecipe,
  redisRecipe,
} from "../../infra/native/recipes.ts";
import { type Engine, startEngine } from "./engine.ts";

const NATIVE = fileURLToPath(new URL("../../infra/native/", import.meta.url));
/** The first time Kafka and Redis may have to be fetched. */
const INSTALLED_WITHIN_MS = 600_000;

export interface PostgresEngine extends Engine {
  readonly url: string;
}

export interface ClickHouseEngine extends Engine, ClickHouseAddress {
  readonly folder: string;
}

export interface RedisEngine extends Engine {
  readonly url: string;
}

export interface KafkaEngine extends Engine {
  readonly brokers: string;
  /** Where its topics lie, a folder a partition. */
  readonly logs: string;
}

export async function startPostgres(folder: string): Promise<PostgresEngine> {
  const recipe = await postgresRecipe(folder);
  return { ...(await startEngine(recipe)), ...recipe.address };
}

export async function startClickHouse(folder: string): Promise<ClickHouseEngine> {
  const recipe = await clickHouseRecipe(folder);
  return { ...(await startEngine(recipe)), ...recipe.address };
}

export async function startRedis(folder: string): Promise<RedisEngine> {
  await install("redis");
  const recipe = await redisRecipe(folder);
  return { ...(await startEngine(recipe)), ...recipe.address };
}

export async function startKafka(folder: string): Promise<KafkaEngine> {
  await install("kafka");
  const recipe = await kafkaRecipe(folder);
  const { broker, logs } = recipe.address;
  return { ...(await startEngine(recipe)), brokers: broker, logs };
}

/** Fetches an engine where it is missing, as `infra/native/up` does. Rejects with the requirement that it names. */
async function install(engine: "redis" | "kafka"): Promise<void> {
  const script = `set -euo pipefail; engine=${engine}; source ./engines.sh; source ./${engine}; install`;
  try {
    await promisify(execFile)("bash", ["-c", script], { cwd: NATIVE, timeout: INSTALLED_WITHIN_MS });
  } catch (error) {
    const said = error instanceof Error && "stderr" in error ? String(error.stderr).trim() : String(error);
    throw new Error(`${engine} cannot be had: ${said}`, { cause: error });
  }
}
