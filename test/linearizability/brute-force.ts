import type { Model, Operation } from './checker.ts'

/** The definition word by word: whether one of all orders explains the history. For a handful of operations only. */
export function isLegalByBruteForce<State, Input, Output>(
  model: Model<State, Input, Output>,
  history: readonly Operation<Input, Output>[],
): boolean {
  return subsetsOf(history.filter(({ answer }) => !answer)).some((tookEffect) =>
    ordersOf([...history.filter(({ answer }) => answer), ...tookEffect]).some((order) => explains(model, order)),
  )
}

/** Whether nothing stands before what had returned when it was called, and each answer is the model's. */
export function explains<State, Input, Output>(
  model: Model<State, Input, Output>,
  order: readonly Operation<Input, Output>[],
): boolean {
  const states = new Map<string, State>()
  for (const [place, { input, calledAt, answer }] of order.entries()) {
    if (order.slice(place + 1).some((later) => later.answer && later.answer.returnedAt < calledAt)) return false
    const key = model.keyOf(input)
    const next = model.step(states.has(key) ? states.get(key)! : model.init, input, answer?.output)
    if (next === undefined) return false
    states.set(key, next)
  }
  return true
}

function subsetsOf<Value>(values: readonly Value[]): readonly (readonly Value[])[] {
  const [first, ...others] = values
  if (first === undefined) return [[]]
  return subsetsOf(others).flatMap((subset) => [subset, [first, ...subset]])
}

function ordersOf<Value>(values: readonly Value[]): readonly (readonly Value[])[] {
  if (values.length === 0) return [[]]
  return values.flatMap((value, index) => ordersOf(values.toSpliced(index, 1)).map((order) => [value, ...order]))
}
