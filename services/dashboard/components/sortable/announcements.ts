import type { Announcements, UniqueIdentifier } from "@dnd-kit/core";

/** Screen readers announce these before an item is moved by keyboard. */
export const INSTRUCTIONS = {
  draggable:
    "To move an item, press space or enter, then the arrow keys. Press space or enter again to drop it, or escape to leave it where it was.",
};

/** The announcements for each step of a move. `nameOf` returns an item's name. */
export function announcementsFor(
  ids: readonly string[],
  nameOf: (id: string) => string,
): Required<Omit<Announcements, "onDragMove">> {
  const place = (id: UniqueIdentifier) => `position ${ids.indexOf(String(id)) + 1} of ${ids.length}`;
  const name = (id: UniqueIdentifier) => nameOf(String(id));
  return {
    onDragStart: ({ active }) => `${name(active.id)} picked up at ${place(active.id)}.`,
    onDragOver: ({ active, over }) =>
      over === null
        ? `${name(active.id)} is outside of the list.`
        : `${name(active.id)} is at ${place(over.id)}.`,
    onDragEnd: ({ active, over }) =>
      over === null
        ? `${name(active.id)} stays where it was.`
        : `${name(active.id)} dropped at ${place(over.id)}.`,
    onDragCancel: ({ active }) => `${name(active.id)} stays at ${place(active.id)}.`,
  };
}
