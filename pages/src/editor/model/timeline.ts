/** Past, present and undone states. It is immutable: a step creates a new one. */
export interface Timeline<State> {
  readonly past: readonly State[]
  readonly present: State
  readonly future: readonly State[]
  /** Name of the edit that the last step belongs to, such as typing in one field; undefined for a separate one. */
  readonly edit: string | undefined
}

/** Maximum number of steps that can be undone (chosen). */
export const maxSteps = 100

export function startTimeline<State>(present: State): Timeline<State> {
  return { past: [], present, future: [], edit: undefined }
}

/** Adds a state; several of one edit are one step. Undone states are dropped. */
export function takeStep<State>(timeline: Timeline<State>, present: State, edit?: string): Timeline<State> {
  const { past, present: before } = timeline
  if (present === before) return timeline
  const isSameEdit = edit !== undefined && edit === timeline.edit
  return { past: isSameEdit ? past : [...past, before].slice(-maxSteps), present, future: [], edit }
}

/** Makes the next state a separate step, even of the same edit. */
export function endEdit<State>(timeline: Timeline<State>): Timeline<State> {
  return timeline.edit === undefined ? timeline : { ...timeline, edit: undefined }
}

/** Changes the present state without adding a step, such as for the selection. */
export function amendPresent<State>(timeline: Timeline<State>, present: State): Timeline<State> {
  return { ...timeline, present }
}

export function undoStep<State>({ past, present, future }: Timeline<State>): Timeline<State> | undefined {
  if (past.length === 0) return undefined
  return { past: past.slice(0, -1), present: past.at(-1)!, future: [present, ...future], edit: undefined }
}

export function redoStep<State>({ past, present, future }: Timeline<State>): Timeline<State> | undefined {
  const [next, ...later] = future
  if (next === undefined) return undefined
  return { past: [...past, present].slice(-maxSteps), present: next, future: later, edit: undefined }
}
