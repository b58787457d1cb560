import { Changes } from '../state/changes.ts'

const announcements = new Changes<string>()

/** Announces a change to screen readers: moved, saved, found. The frame has the live region. */
export function announce(text: string): void {
  announcements.emit(text)
}

/** Calls back with each text; returns the function that ends this. */
export function watchAnnouncements(listener: (text: string) => void): () => void {
  return announcements.watch(listener)
}
