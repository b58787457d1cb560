import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Config, ConfigError, readConfig, type SecretSetting, shortestSecret } from '../config.ts'
import { reasonOf } from '../errors.ts'
import { openSeal } from '../secrets/sealed.ts'
import { findSecret } from '../secrets/secret-file.ts'
import { type CheckResult, type Inspection, ok, problem, warning } from '../storage/maintenance/check-result.ts'
import { openInspection } from '../storage/maintenance/inspection.ts'
import { StorageUnavailable } from '../storage/storage.ts'
import { CommandFailed, type Terminal, UsageError } from './terminal.ts'

/** Looks at the settings, the files and the database, changes nothing, and says what is wrong and what to do. */
export async function doctorCommand(words: readonly string[], terminal: Terminal): Promise<void> {
  if (words.length > 0) throw new UsageError('The command doctor takes no further words.')
  const config = readSettings(terminal)
  let problems = 0
  const tell = ({ level, text }: CheckResult): void => {
    if (level === 'problem') problems += 1
    terminal.print(`${level.padEnd(8)} ${text}`)
  }
  tell(ok('The settings can be read.'))
  if (config.tls) for (const finding of inspectTls(config.tls, Date.now())) tell(finding)
  const inspection = await openOrGiveUp(config, tell)
  try {
    for await (const finding of inspection.findings(Date.now)) {
      tell(finding)
      if (terminal.signal.aborted) throw new CommandFailed('Stopped; nothing was changed.', 2)
    }
    for (const finding of await inspectSecret(config.secretKey, inspection)) tell(finding)
  } catch (error) {
    if (!(error instanceof StorageUnavailable)) throw error
    tell(problem(error.message))
    throw new CommandFailed('The database could not be looked at to the end.', 2)
  } finally {
    await inspection.close()
  }
  if (problems > 0) throw new CommandFailed(problems === 1 ? 'There is 1 problem.' : `There are ${problems} problems.`)
  terminal.print('There are no problems.')
}

function readSettings({ environment, print }: Terminal): Config {
  try {
    return readConfig(environment)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    print(`problem  ${error.message}`)
    throw new CommandFailed('Without settings there is nothing to look at.', 2)
  }
}

async function openOrGiveUp({ database }: Config, tell: (finding: CheckResult) => void): Promise<Inspection> {
  try {
    return await openInspection(database)
  } catch (error) {
    if (!(error instanceof StorageUnavailable)) throw error
    tell(problem(error.message))
    throw new CommandFailed('The database could not be looked at.', 2)
  }
}

/** Whether the secret opens the private key of every organization. Unlike a start, this makes no secret. */
async function inspectSecret(setting: SecretSetting, inspection: Inspection): Promise<readonly CheckResult[]> {
  const keys = await inspection.listKeys()
  if (keys.length === 0 || setting.kind === 'fleeting') return []
  const findings: CheckResult[] = []
  let secret: string | undefined
  try {
    secret = setting.kind === 'text' ? setting.text : findSecret(setting.path)
  } catch (error) {
    return [problem(`The file of the secret cannot be read: ${reasonOf(error)}.`)]
  }
  if (secret === undefined || secret.length < shortestSecret) {
    const path = setting.kind === 'file' ? resolve(setting.path) : 'SECRET_KEY'
    return [problem(`The secret is missing from ${path}, or too short: put back the one that was kept with a backup.`)]
  }
  if (setting.kind === 'file') findings.push(inspectMode(setting.path))
  const seal = openSeal(secret)
  const closed = keys.filter(({ sealedPrivateKey }) => !opens(() => seal.open(sealedPrivateKey))).length
  findings.push(
    closed === 0
      ? ok('The secret opens the private key of every organization.')
      : problem(
          `The secret does not open the private keys of ${closed} of ${keys.length} organizations: it is another one.`,
        ),
  )
  return findings
}

function inspectMode(path: string): CheckResult {
  const mode = statSync(path).mode & 0o777
  return (mode & 0o077) === 0
    ? ok('Only its owner may read the file of the secret.')
    : warning(
        `Others than its owner may use the file of the secret (mode ${mode.toString(8)}): chmod 600 ${resolve(path)}.`,
      )
}

const renewalMilliseconds = 14 * 86_400_000

function inspectTls({ certFile, keyFile }: NonNullable<Config['tls']>, now: number): readonly CheckResult[] {
  try {
    const certificate = new X509Certificate(readFileSync(certFile))
    if (!certificate.checkPrivateKey(createPrivateKey(readFileSync(keyFile)))) {
      return [problem('The key in TLS_KEY_FILE is not the one of the certificate in TLS_CERT_FILE.')]
    }
    const { validFromDate, validToDate } = certificate
    const until = validToDate.toISOString().slice(0, 10)
    if (validFromDate.getTime() > now) return [problem('The certificate in TLS_CERT_FILE is not valid yet.')]
    if (validToDate.getTime() < now) return [problem(`The certificate in TLS_CERT_FILE expired on ${until}: renew it.`)]
    return validToDate.getTime() - now < renewalMilliseconds
      ? [warning(`The certificate in TLS_CERT_FILE expires on ${until}: renew it.`)]
      : [ok(`The certificate is good until ${until}, and its key belongs to it.`)]
  } catch (error) {
    return [problem(`TLS_CERT_FILE and TLS_KEY_FILE are not a certificate and its key in PEM: ${reasonOf(error)}.`)]
  }
}

function opens(open: () => unknown): boolean {
  try {
    open()
    return true
  } catch {
    return false
  }
}
