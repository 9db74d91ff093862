import { parentPort, workerData } from "node:worker_threads";
import { EventLogError } from "../errors.ts";
import { sqliteCode } from "./database.ts";
import { LocalFile } from "./log-file.ts";
import type { LocalFailure, LocalMessage, LocalRequest, LocalWorkerData } from "./messages.ts";

/*
 * The thread that waits for the disk. It handles together whatever arrived while it waited: all appends in one transaction
 * (group commit), then the other requests in order, then one step of truncation.
 */

const IOERR = 10;

const port = parentPort;
if (port === null) throw new Error("This file is the event log's worker thread.");
const data: LocalWorkerData = workerData;
const waiting: LocalRequest[] = [];
let isScheduled = false;

const file = open();
if (file !== null) {
  port.on("message", (request: LocalRequest) => {
    waiting.push(request);
    schedule(file);
  });
  post({ kind: "opened", logId: file.logId, sessionId: file.sessionId });
  schedule(file);
}

function open(): LocalFile | null {
  try {
    const opened = new LocalFile(data.file, data.maxFileBytes, data.maxDeadLetters);
    if (data.logId === null || data.logId === opened.logId) return opened;
    opened.close();
    throw new EventLogError("DAMAGED", `The event log ${data.file} was replaced while it was in use.`);
  } catch (error) {
    post({ kind: "refused", failure: asFailure(error) });
    return null;
  }
}

function schedule(log: LocalFile): void {
  if (isScheduled) return;
  isScheduled = true;
  setImmediate(() => {
    isScheduled = false;
    work(log);
  });
}

function work(log: LocalFile): void {
  const requests = waiting.splice(0);
  appendTogether(log, requests);
  for (const request of requests) {
    if (request.operation === "append") continue;
    attempt([request], () => answer(log, request));
    if (request.operation === "close") return;
  }
  try {
    if (log.tidy()) schedule(log);
  } catch (error) {
    post({ kind: "warning", message: `The event log could not be truncated: ${asFailure(error).message}` });
    dieOfDiskError(error);
  }
}

function appendTogether(log: LocalFile, requests: readonly LocalRequest[]): void {
  const appends = requests.filter((request) => request.operation === "append");
  if (appends.length === 0) return;
  attempt(appends, () => {
    log.append(appends.map(({ ask }) => ask));
    for (const { id } of appends) post({ kind: "answer", id, answer: undefined });
  });
}

function answer(log: LocalFile, request: LocalRequest): void {
  const result = perform(log, request);
  const transfer = Array.isArray(result) ? result.map(({ rows }) => rows.buffer) : [];
  post({ kind: "answer", id: request.id, answer: result }, transfer);
}

function perform(log: LocalFile, request: LocalRequest) {
  switch (request.operation) {
    case "append":
      return log.append([request.ask]);
    case "probe":
      return log.probe();
    case "takeOver":
      return log.takeOver();
    case "recordedIntent":
      return log.recordedIntent();
    case "backlog":
      return log.backlog();
    case "end":
      return log.end();
    case "readNote":
      return log.readNote();
    case "writeNote":
      return log.writeNote(request.ask);
    case "readNext":
      return log.readNext(request.ask.maxEvents, request.ask.maxBytes);
    case "readExactly":
      return log.readExactly(request.ask);
    case "recordIntent":
      return log.recordIntent(request.ask.epoch, request.ask.range);
    case "recordedJudgements":
      return log.recordedJudgements(request.ask);
    case "recordJudgements":
      return log.recordJudgements(request.ask.epoch, request.ask.range, request.ask.judgements);
    case "commit":
      return log.commit(request.ask.epoch, request.ask.range);
    case "writeDeadLetters":
      return log.writeDeadLetters(request.ask.epoch, request.ask.letters);
    case "close":
      port?.close();
      return log.close();
  }
}

function attempt(requests: readonly LocalRequest[], body: () => void): void {
  try {
    body();
  } catch (error) {
    const { code, message } = asFailure(error);
    for (const { id, operation } of requests) {
      const isUnclear = operation === "append" && isDiskError(error);
      post({ kind: "failure", id, failure: { code: isUnclear ? "UNCLEAR" : code, message } });
    }
    dieOfDiskError(error);
  }
}

/**
 * After a failed read, write or sync the content of the disk is unknown, and a later sync may report success for pages that
 * the kernel has dropped. So the thread dies; its successor opens the file again and reads what is there.
 */
function dieOfDiskError(error: unknown): void {
  if (isDiskError(error)) throw error;
}

function isDiskError(error: unknown): boolean {
  return sqliteCode(error) === IOERR;
}

function asFailure(error: unknown): LocalFailure {
  if (error instanceof EventLogError) return { code: error.code, message: error.message };
  return { code: "UNAVAILABLE", message: error instanceof Error ? error.message : String(error) };
}

function post(message: LocalMessage, transfer: ArrayBuffer[] = []): void {
  port?.postMessage(message, transfer);
}
