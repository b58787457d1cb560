import type { ReactiveControllerHost } from 'lit'
import { Changes } from '../state/changes.ts'

/** Emits when items have been changed in another place than the shown screen, such as by Undo: screens read them again. */
export const changedItems = new Changes()

/** Calls back with each change while an element is on the page. */
export function watchItems(host: ReactiveControllerHost, listener: () => unknown): void {
  let stop = () => {}
  const hostConnected = () => {
    stop = changedItems.watch(listener)
  }
  host.addController({ hostConnected, hostDisconnected: () => stop() })
}
