import { Frame } from "./frame.tsx";
import { ButtonTo } from "./links.tsx";

/** For a workspace that is not this person's, or that is none: nobody is told which. */
export function NoAccessPage() {
  return (
    <Frame
      title="You cannot open this workspace"
      text="It does not exist, or you are not a member of it. Whoever runs it can invite you."
    >
      <ButtonTo to="/">Go to your workspaces</ButtonTo>
    </Frame>
  );
}
