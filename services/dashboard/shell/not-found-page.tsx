import { Frame } from "./frame.tsx";
import { ButtonTo } from "./links.tsx";

/** For an address that no page has. */
export function NotFoundPage() {
  return (
    <Frame
      title="There is no such page"
      text="The address may be mistyped, or what it showed may have moved."
    >
      <ButtonTo to="/">Go to the start</ButtonTo>
    </Frame>
  );
}
