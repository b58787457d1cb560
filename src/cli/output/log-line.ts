/** The log as a person reads it, on a terminal. */

type Entry = Readonly<Record<string, unknown>>

/** A line of the log, which is a JSON object, as text of one line or, with a stack, of several. */
export function formatLogLine(line: string): string {
  const { level, time, message, error, ...others } = JSON.parse(line) as Entry
  const begun = `${String(time).slice(11, 23)} ${String(level).toUpperCase().padEnd(5)}`
  const text = message === 'request' ? formatRequest(others) : [message, ...formatMembers(others)].join(' ')
  return `${begun} ${text}${formatError(error)}`
}

function formatRequest({ method, path, outcome, status, milliseconds, ...others }: Entry): string {
  const answered = outcome === status ? String(status) : `${status} (${outcome})`
  return [`${method} ${path} ${answered}, ${milliseconds} ms`, ...formatMembers(others)].join(' ')
}

function formatMembers(members: Entry): readonly string[] {
  return Object.entries(members).map(([name, value]) => `${name}=${formatValue(value)}`)
}

/** Puts it in quotation marks where it has spaces or anything that a terminal might obey. */
function formatValue(value: unknown): string {
  return typeof value === 'string' && /^[^\s"\p{C}]+$/u.test(value) ? value : JSON.stringify(value)
}

function formatError(error: unknown): string {
  if (typeof error !== 'object' || error === null) return ''
  const { stack, message } = error as Entry
  return `\n  ${String(stack ?? message)
    .replaceAll('\n', '\n  ')
    .replaceAll(/[^\P{C}\n]/gu, '?')}`
}
