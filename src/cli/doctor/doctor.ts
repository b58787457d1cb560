import { resolve } from 'node:path'
import { type Config, ConfigError, readConfig, type SettingName } from '../../config.ts'
import { reasonOf } from '../../errors.ts'
import { openSeal, type Seal } from '../../secrets/sealed.ts'
import { findExposure, findSecret } from '../../secrets/secret-file.ts'
import { findSecretProblem, type GivenSecret } from '../../settings/secret.ts'
import { dateOf, findTimeProblem, readCertificate } from '../../start/certificate.ts'
import { type CheckResult, type Inspection, ok, problem, warning } from '../../storage/maintenance/check-result.ts'
import { openInspection } from '../../storage/maintenance/inspection.ts'
import { StorageUnavailable } from '../../storage/storage.ts'
import { parseArguments, requireNoArguments } from '../args.ts'
import { CommandFailed, type Terminal } from '../output/terminal.ts'
import {
  inspectBackups,
  inspectFloor,
  inspectReplicaFolder,
  inspectReserve,
  inspectRetention,
} from './doctor-keeping.ts'
import { inspectIdentityProvider, inspectItemCategories, inspectMail } from './doctor-provider.ts'

/** Inspects the settings, the files and the database, changes nothing, and says what is wrong and what to do. */
export async function doctorCommand(args: readonly string[], terminal: Terminal): Promise<void> {
  const { values, positionals } = parseArguments(args, { quick: { type: 'boolean', default: false } })
  requireNoArguments(positionals)
  const isQuick = values.quick
  const config = readSettings(terminal)
  let [problems, warnings] = [0, 0]
  const stages = openStages(terminal)
  const report = ({ level, text }: CheckResult): void => {
    stages.end()
    if (level === 'problem') problems += 1
    if (level === 'warning') warnings += 1
    terminal.print(`${level.padEnd(8)} ${text}`)
  }
  report(ok('The settings can be read.'))
  if (config.tls) for (const finding of inspectTls(config.tls, Date.now())) report(finding)
  const inspection = await openOrGiveUp(config, report)
  try {
    for await (const finding of inspection.findings(Date.now, { isQuick, onStage: stages.begin })) {
      report(finding)
      if (terminal.signal.aborted) throw new CommandFailed('Stopped; nothing was changed.', 2)
    }
    for (const finding of await inspectSecrets(config, inspection)) report(finding)
    for (const finding of await inspectFloor(config, inspection)) report(finding)
    for (const finding of inspectReserve(config)) report(finding)
    for (const finding of inspectReplicaFolder(config)) report(finding)
    for (const finding of await inspectBackups(config, Date.now())) report(finding)
    // Rows of other tables, or damaged ones, cannot be read like that.
    if (problems === 0 && (await hasTables(inspection))) {
      if (!isQuick) {
        stages.begin('the categories of items')
        for (const finding of await inspectItemCategories(inspection)) report(finding)
      }
      report(await inspectRetention(config, inspection, Date.now()))
      for await (const finding of inspectIdentityProvider(config, inspection, Date.now)) report(finding)
      for await (const finding of inspectMail(config)) report(finding)
    }
  } catch (error) {
    if (!(error instanceof StorageUnavailable)) throw error
    report(problem(error.message))
    throw new CommandFailed('The database could not be inspected to the end.', 2)
  } finally {
    stages.end()
    await inspection.close()
  }
  if (isQuick) terminal.print(notLookedAt)
  if (problems > 0) throw new CommandFailed(problems === 1 ? 'There is 1 problem.' : `There are ${problems} problems.`)
  terminal.print(formatEnd(warnings))
}

const notLookedAt =
  'Not looked at, as --quick was given: damage of the file, documents, rows that disagree, indexes, counts of tags and categories of items.'

/** Subject of a check that may take long: on a terminal, one line that is redrawn. */
function openStages({ redraw }: Terminal) {
  let isDrawn = false
  return {
    begin(what: string): void {
      redraw?.(`Looking at ${what} …`)
      isDrawn = true
    },
    end(): void {
      if (isDrawn) redraw?.('')
      isDrawn = false
    },
  }
}

function formatEnd(warnings: number): string {
  if (warnings === 0) return 'There are no problems.'
  return warnings === 1 ? 'There are no problems, but 1 warning.' : `There are no problems, but ${warnings} warnings.`
}

function readSettings({ environment, print }: Terminal): Config {
  try {
    return readConfig(environment)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    for (const refusal of error.refusals) print(`problem  ${refusal}`)
    throw new CommandFailed('Without settings there is nothing to inspect.', 2)
  }
}

async function hasTables(inspection: Inspection): Promise<boolean> {
  return inspection.requireTables().then(
    () => true,
    () => false,
  )
}

async function openOrGiveUp({ database }: Config, report: (finding: CheckResult) => void): Promise<Inspection> {
  try {
    return await openInspection(database)
  } catch (error) {
    if (!(error instanceof StorageUnavailable)) throw error
    report(problem(error.message))
    throw new CommandFailed('The database could not be inspected.', 2)
  }
}

/** Whether the secrets open the private key of every organization. Unlike a start, this makes no secret. */
async function inspectSecrets(config: Config, inspection: Inspection): Promise<readonly CheckResult[]> {
  const { secretKey, previousSecretKey } = config
  const sealed = (await inspection.listKeys()).map(({ sealedPrivateKey }) => sealedPrivateKey)
  if (sealed.length === 0 || secretKey.kind === 'ephemeral') return []
  const present = inspectSecret(secretKey, 'SECRET_KEY')
  const previous = previousSecretKey && inspectSecret(previousSecretKey, 'PREVIOUS_SECRET_KEY')
  const findings = [...present.findings, ...(previous?.findings ?? [])]
  if (present.secret === undefined || (previous && previous.secret === undefined)) return findings
  const closed = await countClosed(sealed, openSeal(present.secret, previous?.secret))
  findings.push(
    closed === 0
      ? ok('The secret opens the private key of every organization.')
      : problem(
          `The secret does not open the private keys of ${closed} of ${sealed.length} organizations: it is another one.`,
        ),
  )
  if (!previous) return findings
  const underPrevious = (await countClosed(sealed, openSeal(present.secret))) - closed
  findings.push(
    underPrevious === 0
      ? ok(
          'No private key is sealed under the previous secret: remove PREVIOUS_SECRET_KEY or PREVIOUS_SECRET_KEY_FILE.',
        )
      : warning(
          `The private keys of ${underPrevious} of ${sealed.length} organizations are sealed under the previous secret: ` +
            'run "cartulary secret rotate".',
        ),
  )
  return findings
}

interface InspectedSecret {
  /** Undefined where it cannot be used, as the findings say. */
  readonly secret?: string
  readonly findings: readonly CheckResult[]
}

function inspectSecret(setting: GivenSecret, name: SettingName): InspectedSecret {
  let secret: string | undefined
  try {
    secret = setting.kind === 'text' ? setting.text : findSecret(setting.path)
  } catch (error) {
    return { findings: [problem(`The file of the secret cannot be read: ${reasonOf(error)}.`)] }
  }
  const place = setting.kind === 'file' ? resolve(setting.path) : name
  if (secret === undefined || findSecretProblem(secret, false)) {
    const advice = 'put back the one that was kept with a backup'
    return { findings: [problem(`The secret is missing from ${place}, or too short: ${advice}.`)] }
  }
  const weakness = findSecretProblem(secret, name === 'SECRET_KEY')
  const findings = weakness ? [problem(`The secret in ${place} ${weakness}`)] : []
  return { secret, findings: setting.kind === 'file' ? [...findings, inspectMode(setting.path)] : findings }
}

async function countClosed(sealed: readonly string[], seal: Seal): Promise<number> {
  const outcomes = await Promise.allSettled(sealed.map((text) => seal.open(text)))
  return outcomes.filter(({ status }) => status === 'rejected').length
}

function inspectMode(path: string): CheckResult {
  const exposure = findExposure(path)
  return exposure ? warning(exposure) : ok('Only its owner may read the file of the secret.')
}

function inspectTls(files: NonNullable<Config['tls']>, now: number): readonly CheckResult[] {
  try {
    const certificate = readCertificate(files)
    const found = findTimeProblem(certificate, now)
    if (!found) return [ok(`The certificate is good until ${dateOf(certificate.validTo)}, and its key belongs to it.`)]
    return [now > certificate.validFrom && now <= certificate.validTo ? warning(found) : problem(found)]
  } catch (error) {
    if (error instanceof ConfigError) return error.refusals.map(problem)
    throw error
  }
}
