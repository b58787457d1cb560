import type { Operation } from './checker.ts'
import { modelOf, type RegisterInput } from './models.ts'

type Output = string | null

/** An event of a log: a client calls, or is answered; or it is known that no answer will come. */
type LogEvent<Input> =
  | { readonly client: string; readonly input: Input }
  | { readonly client: string; readonly output: Output }
  | { readonly client: string; readonly lost: true }

/** Puts calls and answers together. Times are the numbers of the lines. */
function pair<Input>(events: readonly LogEvent<Input>[]): readonly Operation<Input, Output>[] {
  const operations: Operation<Input, Output>[] = []
  const open = new Map<string, number>()
  for (const [time, event] of events.entries()) {
    const { client } = event
    const index = open.get(client)
    if ('input' in event) {
      if (index !== undefined) throw new Error(`${client} calls twice, at ${time}`)
      open.set(client, operations.length)
      operations.push({ client, input: event.input, calledAt: time, answer: undefined })
      continue
    }
    if (index === undefined) throw new Error(`${client} is answered without a call, at ${time}`)
    open.delete(client)
    if ('output' in event) {
      operations[index] = { ...operations[index]!, answer: { output: event.output, returnedAt: time } }
    }
  }
  return operations
}

/** Reads a log of Jepsen against etcd: one register that begins empty. */
export function parseJepsenLog(text: string): readonly Operation<RegisterInput, Output>[] {
  return pair(linesOf(text).map(parseJepsenLine))
}

function parseJepsenLine(line: string): LogEvent<RegisterInput> {
  const [, client, type, operation, value] = /^INFO +jepsen\.util - (\d+)\s+:(\w+)\s+:(\w+)\s+(.+)$/.exec(line) ?? []
  if (!client || !value) throw new Error(`Not a line of a Jepsen log: ${line}`)
  if (value === ':timed-out') return { client, lost: true }
  if (type === 'invoke') return { client, input: parseCall(operation!, value) }
  if (operation === 'read') return { client, output: value === 'nil' ? null : value }
  return { client, output: type === 'ok' ? 'ok' : 'no' }
}

function parseCall(operation: string, value: string): RegisterInput {
  if (operation === 'read') return { operation }
  if (operation === 'write') return { operation, value }
  const [, from, to] = /^\[(\d+) (\d+)\]$/.exec(value) ?? []
  if (operation !== 'cas' || !from || !to) throw new Error(`Not an operation of a Jepsen log: ${operation} ${value}`)
  return { operation: 'compareAndSet', from, to }
}

export interface TextInput {
  readonly operation: 'get' | 'put' | 'append'
  readonly key: string
  readonly value: string
}

/** Texts by key: `put` replaces and `append` lengthens one, both answered with the value that they were given. */
export const texts = modelOf<string, TextInput>({
  keyOf: ({ key }) => key,
  reads: 'get',
  init: '',
  run(text, { operation, value }) {
    if (operation === 'get') return [text, text]
    return [value, operation === 'put' ? value : text + value]
  },
  textOf: (text) => text,
})

/** Reads a log of texts by key. */
export function parseTextLog(text: string): readonly Operation<TextInput, Output>[] {
  return pair(linesOf(text).map(parseTextLine))
}

const textLine = /^\{:process (\d+), :type :(invoke|ok), :f :(get|put|append), :key "(.*)", :value (?:nil|"(.*)")\}$/

function parseTextLine(line: string): LogEvent<TextInput> {
  const [, client, type, operation, key, value = ''] = textLine.exec(line) ?? []
  if (!client || key === undefined) throw new Error(`Not a line of a log of texts: ${line}`)
  if (type === 'ok') return { client, output: value }
  return { client, input: { operation: operation as TextInput['operation'], key, value } }
}

function linesOf(text: string): readonly string[] {
  return text.split('\n').filter((line) => line !== '')
}
