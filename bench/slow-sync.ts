import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { NotMeasured } from './result.ts'
import { type Environment, Folder } from './servers.ts'

const source = fileURLToPath(new URL('slow-sync.c', import.meta.url))
let library: string | undefined

/** Environment that delays every wait of a process for the disk by this many milliseconds. */
export function slowSync(milliseconds: number | undefined): Environment {
  if (milliseconds === undefined) return {}
  library ??= compile()
  return { LD_PRELOAD: library, SLOW_SYNC: String(milliseconds * 1000) }
}

function compile(): string {
  const folder = new Folder()
  process.once('exit', () => folder[Symbol.dispose]())
  const compiled = `${folder.path}/slow-sync.so`
  try {
    execFileSync('cc', ['-shared', '-fPIC', '-O2', '-o', compiled, source, '-ldl'], { stdio: 'ignore' })
  } catch {
    throw new NotMeasured('There is no C compiler (cc) here to slow the disk down with.')
  }
  if (process.platform !== 'linux') throw new NotMeasured('Only Linux lets a disk be slowed down like this.')
  return compiled
}
