import { Changes } from '../state/changes.ts'

/** Emits when items have been changed in another place than the shown screen, such as by Undo: screens read them again. */
export const changedItems = new Changes()
