/** What there was, is, and was undone. It never changes: a step makes a new one. */
export interface Timeline<State> {
  readonly past: readonly State[]
  readonly present: State
  readonly future: readonly State[]
  /** Names the edit that the last step belongs to, such as the typing in one field; undefined for one of its own. */
  readonly edit: string | undefined
}

/** Steps that can be undone (chosen). */
export const mostSteps = 100

export function startTimeline<State>(present: State): Timeline<State> {
  return { past: [], present, future: [], edit: undefined }
}

/** A new state; several of one edit are one step. What was undone is gone. */
export function takeStep<State>(timeline: Timeline<State>, present: State, edit?: string): Timeline<State> {
  const { past, present: before } = timeline
  if (present === before) return timeline
  const isSameEdit = edit !== undefined && edit === timeline.edit
  return { past: isSameEdit ? past : [...past, before].slice(-mostSteps), present, future: [], edit }
}

/** The next state is a step of its own, even of the same edit. */
export function endEdit<State>(timeline: Timeline<State>): Timeline<State> {
  return timeline.edit === undefined ? timeline : { ...timeline, edit: undefined }
}

/** The present state with something changed that is no step, such as what is selected. */
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
  return { past: [...past, present].slice(-mostSteps), present: next, future: later, edit: undefined }
}
