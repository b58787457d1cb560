/** The lines of the usage that are about one command; undefined where there are none. */
export function findUsage(usage: string, command: string): string | undefined {
  const rows = usage.split('\n').filter((line) => line.startsWith('  '))
  let isOfCommand = false
  const own = rows.filter((line) => {
    // The name of a command has an indent of two; what continues its line has more.
    if (/^ {2}\S/.test(line)) isOfCommand = line.slice(2).split(' ', 1)[0] === command
    return isOfCommand
  })
  return own.length > 0 ? ['Usage: cartulary …', '', ...own].join('\n') : undefined
}
