import { Changes } from '../state/changes.ts'

const announcements = new Changes<string>()

/** Says something to those who do not see the change: moved, saved, found. The frame has the live region. */
export function announce(text: string): void {
  announcements.emit(text)
}

/** Calls back with each text; answers the function that ends this. */
export function watchAnnouncements(listener: (text: string) => void): () => void {
  return announcements.watch(listener)
}
