import { statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { type Config, ConfigError } from '../config.ts'
import { readCertificate } from './certificate.ts'

/**
 * Returns the problem of the files that settings name, before anything is made. A path that is mistyped would make a new and
 * empty database: only the folder of the default is made (chosen).
 */
export function findPlaceProblems(config: Config, defaults: Config): readonly string[] {
  const { database, secretKey, tls } = config
  const problems: string[] = []
  if (database.engine === 'sqlite' && database.file !== ':memory:') {
    const isDefault = defaults.database.engine === 'sqlite' && database.file === defaults.database.file
    const value = `file:${database.file}`
    const problem = findFolderInPlace(database.file)
    if (problem) problems.push(problem)
    else if (!isDefault) problems.push(...findFolderProblem('DATABASE_URL', value, database.file))
  }
  const isBesideDatabase =
    database.engine === 'sqlite' && 'path' in secretKey && secretKey.path === `${database.file}.key`
  if (secretKey.kind === 'file' && !isBesideDatabase) {
    problems.push(...findFolderProblem('SECRET_KEY_FILE', secretKey.path, secretKey.path))
  }
  return tls ? [...problems, ...findCertificateProblems(tls)] : problems
}

function findFolderProblem(name: string, value: string, file: string): readonly string[] {
  const folder = dirname(resolve(file))
  if (statSync(folder, { throwIfNoEntry: false })) return []
  return [`${name} is ${value}, but there is no folder ${folder}: correct the path, or make the folder (mkdir -p).`]
}

/** Returns the problem of a path of a database that is the path of a folder. */
export function findFolderInPlace(file: string): string | undefined {
  if (!statSync(file, { throwIfNoEntry: false })?.isDirectory()) return undefined
  return `DATABASE_URL is file:${file}, which is a folder: name a file in it, such as ${join(file, 'cartulary.db')}.`
}

function findCertificateProblems(files: NonNullable<Config['tls']>): readonly string[] {
  try {
    readCertificate(files)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.refusals
    throw error
  }
}
