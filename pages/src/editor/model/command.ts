import type { Category } from '../../../../src/categories/schema.ts'
import type { Choosing } from './choice.ts'
import type { MergeMode, PasteMode } from './editing.ts'
import type { Texts } from './edits.ts'
import type { Step, Target } from './places.ts'

/**
 * Commands that change the schema or its view. One that removes, moves or merges a category which is chosen together with others
 * does it with all of them.
 */
export type WorkCommand =
  | { readonly do: 'select' | 'open' | 'close' | 'remove' | 'duplicate' | 'rename'; readonly key: string }
  | { readonly do: 'add'; readonly where: 'after' | 'inside' }
  | { readonly do: 'change'; readonly key: string; readonly texts: Texts }
  | { readonly do: 'step'; readonly key: string; readonly step: Step }
  | { readonly do: 'move'; readonly key: string; readonly target: Target }
  | { readonly do: 'merge'; readonly key: string; readonly into: string; readonly mode: MergeMode }
  | { readonly do: 'insert'; readonly categories: readonly Category[]; readonly mode: PasteMode }
  | { readonly do: 'choose'; readonly key: string; readonly how: Choosing }
  /** Closes all categories of a level, counted from 1, and those below; `Infinity` opens all. */
  | { readonly do: 'openTo'; readonly level: number }
  | { readonly do: 'search'; readonly text: string }
  /** `isKept`: the typed title stays; otherwise all changes since renaming began are undone. */
  | { readonly do: 'endRenaming'; readonly isKept: boolean }
  | { readonly do: 'endTyping' | 'undo' | 'redo' }

/** Commands that parts of the editor send: for the editor itself, a dialog, or the form. */
export type Command =
  | WorkCommand
  | { readonly do: 'paste'; readonly text: string }
  | { readonly do: 'moveTo' }
  | { readonly do: 'mergeInto'; readonly mode: MergeMode }
  | { readonly do: 'edit' }

/** Dispatches a command to the surrounding editor, which listens for `command`. */
export function command(element: EventTarget, detail: Command): void {
  element.dispatchEvent(new CustomEvent('command', { detail, bubbles: true, composed: true }))
}
