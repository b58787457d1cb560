import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/** Modules of every page before any screen but the first: the frame, and the screen at the root. */
const entries = ['main.ts', 'home/home.ts']

/** Modules that are loaded when they are needed, with the texts of all screens. */
const later = new Set(['screens.ts', 'sentences/said.ts'])

/** Imports of values, static ones and those on demand; types are gone when it runs. */
const imports = /(?:^import (?!type )(?:[^'";]*? from )?|^export (?!type )[^'";]*? from |\bimport\()'(\.[^']+\.ts)'/gm

/** Folders whose texts the first screen needs, as `people/roles`: those that it reaches by its imports, but for other screens. */
export function listFirstRooms(sources: string): readonly string[] {
  const seen = new Set<string>()
  const visit = (file: string): void => {
    if (seen.has(file) || !existsSync(file)) return
    seen.add(file)
    if (later.has(relative(sources, file).replaceAll('\\', '/'))) return
    for (const [, to] of readFileSync(file, 'utf8').matchAll(imports)) visit(join(dirname(file), to!))
  }
  for (const entry of entries) visit(join(sources, entry))
  const rooms = [...seen].filter((file) => file.endsWith('/texts.ts')).map((file) => relative(sources, dirname(file)))
  return rooms
    .filter((room) => room !== 'texts')
    .map((room) => room.replaceAll('\\', '/'))
    .sort()
}
