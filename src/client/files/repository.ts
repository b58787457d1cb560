import { realpathSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { isObject } from '../../json-text.ts'
import { untried } from '../failure.ts'
import type { Shell } from '../shell.ts'
import { parseJson, readText } from './file.ts'

/** `cartulary.json`: files of a repository that are the truth of the schemas of places. */
export interface Repository {
  readonly profile: string | undefined
  /** Names of places and paths of their files, in the order of the file. */
  readonly places: readonly (readonly [place: string, file: string])[]
  readonly tests: Readonly<Record<string, unknown>>
}

const fileName = 'cartulary.json'
/** A repository of others names no command to run, and no address: any other member is refused. */
const members: ReadonlySet<string> = new Set(['format', 'profile', 'places', 'tests'])

/** The repository of the working folder; undefined where there is none. */
export function readRepository({ folder = '' }: Pick<Shell, 'folder'>): Repository | undefined {
  const text = readText(join(folder, fileName), fileName)
  if (text === undefined) return undefined
  const { profile, places, tests = {} } = parse(text)
  if (profile !== undefined && typeof profile !== 'string') throw broken('profile is no name')
  if (!isObject(places) || Object.keys(places).length === 0) throw broken('places has none')
  if (!isObject(tests)) throw broken('tests is no object of lists by place, such as {"org": [{"expect": "/Water"}]}')
  const unknown = Object.keys(tests).find((place) => !Object.hasOwn(places, place))
  if (unknown !== undefined) throw broken(`tests has ${unknown}, which places has not`)
  const named = Object.entries(places).map(([place, file]): readonly [string, string] => {
    if (place !== 'org' && !/^group:./.test(place)) throw broken(`${place} is no place: org or group:… is needed`)
    if (typeof file !== 'string' || file === '') throw broken(`${place} has no file`)
    if (isOutside(folder, file)) throw broken(`the file of ${place} is outside the folder of ${fileName}`)
    return [place, join(folder, file)]
  })
  return { profile, places: named, tests }
}

/** Whether a path, or what its links lead to, is not below the folder: a repository of others reads none of your files. */
function isOutside(folder: string, file: string): boolean {
  const leaves = (path: string) => path === '..' || path.startsWith(`..${sep}`)
  const path = join(folder, file)
  if (leaves(relative(folder, path))) return true
  try {
    return leaves(relative(realpathSync(folder === '' ? '.' : folder), realpathSync(path)))
  } catch {
    // One that is not there is reported where it is read.
    return false
  }
}

export function requireRepository(shell: Pick<Shell, 'folder'>): Repository {
  const repository = readRepository(shell)
  if (!repository) throw untried(`--all needs ${fileName} in the working folder.`)
  return repository
}

function parse(text: string): Record<string, unknown> {
  const value = parseJson(text)
  if (!isObject(value) || value['format'] !== 1) throw broken('it is no JSON object with "format":1')
  const unknown = Object.keys(value).find((name) => !members.has(name))
  if (unknown !== undefined) throw broken(`the member ${unknown} is unknown`)
  return value
}

function broken(problem: string) {
  return untried(`${fileName} is not read: ${problem}.`)
}
