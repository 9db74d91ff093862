/** How to create the first account: printed when a service starts, for whoever operates it. */
export function setUpLines(link: string): string[] {
  return [
    "Nobody has an account yet. This link creates the first one, within 24 hours, and works once:",
    `  ${link}`,
  ];
}
