import { chmodSync } from 'node:fs'
import { type Engine, ownEngine } from '../copied-database.ts'
import { aFilled, settingsFor } from '../filled-database.ts'
import { command } from '../run-command.ts'

/** A copy of the filled database, which only its owner may read; its URL. */
export async function aDatabase(engine: Engine = ownEngine): Promise<string> {
  const url = await aFilled(engine)
  if (engine === 'SQLite') chmodSync(url.slice('file:'.length), 0o600)
  return url
}

/** A database as a SQLite file. */
export const aFile = () => aDatabase('SQLite')

/** Runs doctor on the database; resolves with its findings. */
export async function doctor(
  url: string,
  settings: Readonly<Record<string, string>> = {},
  ...words: readonly string[]
) {
  const { code, printed, complaint } = await command(['doctor', ...words], { ...settingsFor(url), ...settings })
  const lines = printed.split('\n')
  const linesOf = (level: string) => lines.filter((line) => line.startsWith(`${level} `)).map((line) => line.slice(9))
  return { code, complaint, lines, problems: linesOf('problem'), warnings: linesOf('warning') }
}

/** One of the groups whose schema is set. */
export const schema = (place: number) =>
  `(select owner_id from category_schemas where owner_kind = 'group' and is_set = 1 order by owner_id limit 1 offset ${place})`
