/** What a site's owner pastes where ads are to show: loads the script once, and marks the place. */
export function embedTag(origin: string, workspaceId: string): string {
  return `<script src="${origin}/embed.js" async></script>\n<div data-placard="${workspaceId}"></div>`;
}
