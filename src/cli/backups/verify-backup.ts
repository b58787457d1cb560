import { resolve } from 'node:path'
import { random } from '../../secrets/random.ts'
import { checksumFileOf, requireChecksum } from '../../storage/maintenance/file-checksum.ts'
import { compareRestored, inspectRestored } from '../../storage/maintenance/restored-backup.ts'
import { copySqlite, removeCopy, requireOwnDatabase } from '../../storage/maintenance/sqlite-copy.ts'
import { version } from '../../version.ts'
import { openProgress } from '../output/progress.ts'
import { CommandFailed, type Terminal } from '../output/terminal.ts'

/** Restores a backup beside it and removes it again: what a restore gives, and how long it takes. */
export async function verifyBackup(name: string, terminal: Terminal): Promise<void> {
  const backup = resolve(name)
  await requireOwnDatabase(backup)
  const isCompared = await requireChecksum(backup)
  const restored = `${backup}.${random.shortId()}.part`
  const progress = openProgress(terminal)
  const report = (stage: string) => (done: number, total: number) => {
    if (terminal.signal.aborted) throw new CommandFailed('Stopped; the backup was not verified.')
    progress.at(stage, done, total)
  }
  try {
    const begun = performance.now()
    await copySqlite(backup, restored, report('Restoring pages'))
    const seconds = ((performance.now() - begun) / 1_000).toFixed(1)
    const { tables, rows } = await compareRestored(backup, restored, report('Comparing rows'))
    const problems: string[] = []
    for await (const { level, text } of inspectRestored(restored, Date.now()))
      if (level === 'problem') problems.push(text)
    progress.end()
    terminal.print(
      `${backup} was restored beside it in ${seconds} seconds: ${rows.toLocaleString('en')} rows in ${tables} tables, all as in the backup.`,
    )
    terminal.print(
      isCompared
        ? 'Its SHA-256 is that of when it was made.'
        : `There is no ${checksumFileOf(backup)} to compare it with.`,
    )
    for (const text of problems) terminal.print(`problem  ${text}`)
    if (problems.length > 0)
      throw new CommandFailed(`As Cartulary ${version} opens it, there are problems: keep an earlier backup.`)
    terminal.print(`As Cartulary ${version} opens it, there are no problems. The restored file is removed.`)
  } finally {
    progress.end()
    await removeCopy(restored)
    await removeCopy(`${restored}.lock`)
  }
}
