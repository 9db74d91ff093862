/** The sum of a counter's series in Prometheus text, of those whose labels contain `label`. */
export function sumOf(text: string, name: string, label = ""): number {
  return text
    .split("\n")
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
    .filter((line) => line.includes(label))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" ") + 1)), 0);
}
