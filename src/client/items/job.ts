import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { sha256Of } from '../../digest.ts'
import type { Call } from '../command-line/run.ts'
import { CommandError, refused, untried } from '../failure.ts'
import { Journal, type OpenJournal } from '../files/journal.ts'
import { withLock } from '../files/lock.ts'
import { isSignInRefused } from '../network/connection.ts'
import { AnswerLost } from '../network/transport.ts'
import { portalFolder } from '../portals/open.ts'
import type { Portal } from '../portals/portal.ts'
import type { Refusal } from './item-table.ts'

/** Change of one item: its row, its id, and its categories before and after. */
export type Entry = readonly [row: number, id: string, from: readonly string[], to: readonly string[]]

/** A line of the journal of a job: steps begin and end, and at last the job ends. */
export interface JobLine {
  /** At ArcGIS: a step before its changes are made. */
  readonly batch?: Batch
  /** At Cartulary: a step before its run begins. */
  readonly part?: Part
  /** The portal's run of the step under way. */
  readonly run?: string
  /** Sums of a step that has ended. */
  readonly done?: StepSums
  /** The step under way was not done, and is begun again. */
  readonly dropped?: true
  readonly ended?: true
}

export interface Batch {
  readonly changes: readonly Entry[]
  readonly unchanged: number
  readonly refused: readonly Refusal[]
}

export interface Part {
  /** Items of the table, and those among them that are sent. */
  readonly items: number
  readonly sent: number
  /** Newest run of the portal before this one. */
  readonly after: string | null
  readonly unchanged: number
  readonly refused: readonly Refusal[]
}

export interface StepSums {
  /** Items that the step was about. */
  readonly items: number
  readonly changed: number
  readonly unchanged: number
  readonly refused: readonly Refusal[]
}

/** Description of a job: an equal command has an equal one. */
export interface JobHead {
  readonly cartularyJob: 1
  readonly command: string
  readonly portal: string
  readonly portalId: string
  readonly place: string
  /** Digest of what distinguishes it from other jobs of the command. */
  readonly digest: string
}

/** A job under its lock, with the sums of its steps so far; its journal has every step. */
export class Job {
  readonly id: string
  readonly #journal: Journal<JobLine>
  readonly #call: Call
  items = 0
  changed = 0
  unchanged = 0
  readonly refused: Refusal[] = []
  /** Runs of the portal. */
  readonly runs: string[] = []
  hasEnded = false
  #underWay: JobLine = {}

  constructor(call: Call, id: string, { journal, lines }: Pick<OpenJournal<JobLine>, 'journal' | 'lines'>) {
    this.id = id
    this.#call = call
    this.#journal = journal
    for (const line of lines()) this.#take(line)
  }

  /** The step that has begun and not ended. */
  get underWay(): JobLine {
    return this.#underWay
  }

  note(line: JobLine): void {
    this.#journal.append(line)
    this.#take(line)
  }

  #take({ done, dropped, ended, run, ...begun }: JobLine): void {
    if (run !== undefined) this.runs.push(run)
    this.hasEnded ||= ended === true
    this.#underWay = done || dropped || ended ? {} : { ...this.#underWay, ...begun, ...(run !== undefined && { run }) }
    if (!done) return
    this.items += done.items
    this.changed += done.changed
    this.unchanged += done.unchanged
    this.refused.push(...done.refused)
  }

  /** Does the rest of `total` items; an interruption says how far it came. */
  run(total: number, work: () => Promise<void>): Promise<void> {
    const done = async () => {
      await work()
      this.note({ ended: true })
    }
    return resumable(this.#call, () => `${this.items} of ${total}`, done)
  }
}

/** Does work that the same command resumes; an interruption says how far it came. */
export async function resumable(
  { shell, say }: Pick<Call, 'shell' | 'say'>,
  reached: () => string,
  work: () => Promise<void>,
): Promise<void> {
  const interrupted = () => `Interrupted after ${reached()} items; the same command resumes.`
  const tell = () => say(interrupted())
  shell.signal.addEventListener('abort', tell, { once: true })
  try {
    await work()
  } catch (error) {
    if (!(error instanceof CommandError || error instanceof AnswerLost)) throw error
    const message = `${error.message} ${interrupted()}`
    if (!(error instanceof CommandError)) throw refused(message)
    throw new CommandError(isSignInRefused(error) ? 2 : 1, message, error)
  } finally {
    shell.signal.removeEventListener('abort', tell)
  }
}

/** Does a job of a portal under its lock: the unfinished one of the same words, unless `--restart` begins another. */
export async function withJob<T>(
  call: Call,
  portal: Portal,
  words: Pick<JobHead, 'command' | 'place' | 'digest'>,
  work: (job: Job) => Promise<T>,
): Promise<T> {
  const folder = jobsFolder(call, portal)
  const head: JobHead = { cartularyJob: 1, ...words, portal: portal.url, portalId: portal.portalId }
  const key = sha256Of(JSON.stringify(head)).slice(0, 16)
  return lockJob(call, portal, key, async () => {
    const numbers = existsSync(folder)
      ? readdirSync(folder).map((name) => Number(new RegExp(`^${key}-(\\d+)\\.jsonl$`).exec(name)?.[1] ?? 0))
      : []
    const last = Math.max(0, ...numbers)
    const found = last > 0 && !call.has('restart') ? openJournal(folder, `${key}-${last}`, portal) : undefined
    if (found && JSON.stringify(found.head) !== JSON.stringify(head)) {
      throw untried(`${found.journal.path} is the journal of another command; --restart begins without it.`)
    }
    const begun = found && new Job(call, `${key}-${last}`, found)
    if (begun && !begun.hasEnded) return work(begun)
    const id = `${key}-${last + 1}`
    const journal = Journal.begin<JobLine>(join(folder, `${id}.jsonl`), head)
    return work(new Job(call, id, { journal, lines: () => [] }))
  })
}

/** Does work on a job, by the first part of its id, which no other command does at the same time. */
export function lockJob<T>(call: Call, portal: Portal, key: string, work: () => Promise<T>): Promise<T> {
  const held = 'Another command does this job at the moment'
  return withLock(join(jobsFolder(call, portal), `${key}.lock`), 1, held, work)
}

/** The journal of a job that this machine has done at a portal; undefined where there is none. */
export function findJournal(call: Call, portal: Portal, id: string): OpenJournal<JobLine> | undefined {
  return /^[0-9a-f]{16}-\d+$/.test(id) ? openJournal(jobsFolder(call, portal), id, portal) : undefined
}

function openJournal(folder: string, id: string, portal: Portal): OpenJournal<JobLine> | undefined {
  const found = Journal.open<JobLine>(join(folder, `${id}.jsonl`))
  const { portal: url, portalId } = found?.head ?? {}
  if (!found || (portalId === portal.portalId && url === portal.url)) return found
  throw untried(
    `${found.journal.path} is of ${url}, organization ${portalId}, and ${portal.url} is ${portal.portalId}.`,
  )
}

function jobsFolder(call: Call, portal: Portal): string {
  return join(portalFolder(call.shell, portal), 'jobs')
}
