import { parentPort, workerData } from "node:worker_threads";
import { answerQuestions } from "../answer-questions.ts";

if (parentPort === null) throw new Error("This file is a thread that fetches.");
answerQuestions(parentPort, workerData, {
  resolve: async (host) => {
    // Stands for a site whose certificate takes the thread's time for ever.
    if (host === "busy.test") for (;;);
    return ["127.0.0.1"];
  },
  allows: (address) => address === "127.0.0.1",
});
