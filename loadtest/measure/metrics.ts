/** The sum of a counter's series in Prometheus text, of those whose labels contain `label`. */
export function sumOf(text: string, name: string, label = ""): number {
  return text
    .split("\n")
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
    .filter((line) => line.includes(label))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" ") + 1)), 0);
}

/** Whether every event of the log is in the stats store. False while the log does not answer: then there is no sample. */
export function isCaughtUp(text: string): boolean {
  const waiting = "placard_event_log_waiting_events";
  return text.includes(`\n${waiting}{`) && sumOf(text, waiting) === 0;
}
