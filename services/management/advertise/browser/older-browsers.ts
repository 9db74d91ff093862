/** What browsers of before mid-2024 lack and shared rules use. */
export function completeUrl(): void {
  if ("parse" in URL) return;
  Object.defineProperty(URL, "parse", {
    value: (text: string, base?: string | URL) => {
      try {
        return new URL(text, base);
      } catch {
        return null;
      }
    },
  });
}
