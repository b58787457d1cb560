import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/** Modules of every page before any screen but the first: the frame, and the screen at the root. */
const entries = ['main.ts', 'home/home.ts']

/** Modules that are loaded when they are needed, with the texts of all screens. */
const later = new Set(['screens.ts', 'sentences/said.ts'])

/** Imports of values, static ones and those on demand; types are gone when it runs. */
const imports = /(?:^import (?!type )(?:[^'";]*? from )?|^export (?!type )[^'";]*? from |\bimport\()'(\.[^']+\.ts)'/gm

/** The names under which modules take the texts of folders. */
const taken = /^import \{([^}]*)\} from '\.[^']*\/texts\/rooms\.ts'$/gm
const named = /^export const (\w+) = textsOf\('(.*)'\)$/gm

/** Folders whose texts the first screen needs, as `people/roles`: those that its modules take, but for later ones. */
export function listFirstRooms(sources: string): readonly string[] {
  const seen = new Set<string>()
  const names = new Set<string>()
  const visit = (file: string): void => {
    if (seen.has(file) || !existsSync(file)) return
    seen.add(file)
    if (later.has(relative(sources, file).replaceAll('\\', '/'))) return
    const source = readFileSync(file, 'utf8')
    for (const [, list] of source.matchAll(taken)) for (const [name] of list!.matchAll(/\w+/g)) names.add(name)
    for (const [, to] of source.matchAll(imports)) visit(join(dirname(file), to!))
  }
  for (const entry of entries) visit(join(sources, entry))
  const rooms = readFileSync(join(sources, 'texts/rooms.ts'), 'utf8').matchAll(named)
  return [...rooms].flatMap(([, name, room]) => (names.has(name!) ? [room!] : [])).sort()
}
