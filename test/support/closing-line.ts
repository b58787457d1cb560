import type { Reporter, TestModule } from 'vitest/node'

const listedFiles = 10

/** Ends the run with the ten slowest files, the time of each folder, and one plain line of counts. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    const counts = { passed: 0, failed: unhandled.length, skipped: 0 }
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        counts[state === 'pending' ? 'failed' : state] += 1
      }
      if (module.errors().length > 0) counts.failed += 1
    }
    process.stdout.write(
      `\n${formatTimes(modules)}\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`,
    )
  }
}

function formatTimes(modules: readonly TestModule[]): string {
  const files = new Map<string, number>()
  const folders = new Map<string, number>()
  for (const module of modules) {
    const { duration, collectDuration } = module.diagnostic()
    const [, folder = ''] = /^test\/((?:http\/)?\w[\w-]*)/.exec(module.relativeModuleId) ?? []
    const project = module.project.name === 'SQLite' ? '' : ` (${module.project.name})`
    add(files, `${module.relativeModuleId}${project}`, duration + collectDuration)
    add(folders, `${folder}${project}`, duration + collectDuration)
  }
  const slowest = [...files].toSorted(byTime).slice(0, listedFiles)
  return [
    'Slowest files, in seconds:',
    ...slowest.map(format),
    'Folders:',
    ...[...folders].toSorted(byTime).map(format),
  ].join('\n')
}

function add(times: Map<string, number>, name: string, milliseconds: number): void {
  times.set(name, (times.get(name) ?? 0) + milliseconds)
}

function byTime([, one]: [string, number], [, other]: [string, number]): number {
  return other - one
}

function format([name, milliseconds]: [string, number]): string {
  return `${(milliseconds / 1000).toFixed(1).padStart(8)}  ${name}`
}
