import { type MantineColorScheme, SegmentedControl, useMantineColorScheme } from "@mantine/core";

const SCHEMES: { value: MantineColorScheme; label: string }[] = [
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
  { value: "auto", label: "As the system" },
];

/** Chooses the colors of this browser's pages; it is kept here alone. */
export function ThemeChoice() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <SegmentedControl
      aria-label="Theme"
      fullWidth
      data={SCHEMES}
      value={colorScheme}
      onChange={(chosen) => setColorScheme(SCHEMES.find(({ value }) => value === chosen)?.value ?? "auto")}
    />
  );
}
