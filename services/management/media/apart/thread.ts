import { parentPort, workerData } from "node:worker_threads";
import { answerQuestions } from "./answer-questions.ts";

if (parentPort === null) throw new Error("This file is the thread that fetches.");
answerQuestions(parentPort, workerData);
