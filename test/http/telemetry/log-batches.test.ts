import { spawnSync } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openBatches } from '../../../src/http/transport/log.ts'
import { Folder } from '../../support/portal/process.ts'

/** Lines that go to a place which takes all of a text, unless `take` says otherwise. */
function openLines(take: (text: string, done: (unwritten: string) => void) => void = (_, done) => done('')) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const written: string[] = []
  const lines = openBatches({
    write(text, done) {
      written.push(text)
      take(text, done)
    },
    writeLast: (text) => void written.push(text),
  })
  return { lines, written }
}

const kilobyte = `${'x'.repeat(1_023)}\n`

/** Log line about lines that were dropped. */
function told(lines: number): string {
  return `{"level":"warn","time":"…","message":"Lines of the log were dropped, as standard output could not be written.","lines":${lines}}\n`
}

function withoutTime(text: string | undefined): string | undefined {
  return text?.replace(/"time":"[^"]+"/, '"time":"…"')
}

test('lines are written together, 20 milliseconds after the first of them', () => {
  const { lines, written } = openLines()
  lines.write('one\n')
  vi.advanceTimersByTime(19)
  lines.write('two\n')
  expect(written).toEqual([])
  vi.advanceTimersByTime(1)
  expect(written).toEqual(['one\ntwo\n'])
  lines.write('three\n')
  vi.advanceTimersByTime(20)
  expect(written).toEqual(['one\ntwo\n', 'three\n'])
})

test('many lines are written before', () => {
  const { lines, written } = openLines()
  for (let number = 0; number < 100; number += 1) lines.write(kilobyte)
  expect(written).toEqual([kilobyte.repeat(65)])
})

test('the last lines are written when the process exits', () => {
  const before = process.listeners('exit')
  const { lines, written } = openLines()
  const flush = process.listeners('exit').find((listener) => !before.includes(listener))!
  onTestFinished(() => void process.off('exit', flush))
  lines.write('last\n')
  flush(0)
  expect(written).toEqual(['last\n'])
})

test('in a file, the last lines come after those that wait to be written when the process exits', () => {
  using folder = new Folder()
  const file = join(folder.path, 'log')
  const output = openSync(file, 'w')
  const program = `
    const { pbkdf2 } = await import('node:crypto')
    const { loggerOptions } = await import('./src/http/transport/log.ts')
    const { stream } = loggerOptions('info', undefined)
    pbkdf2('', '', 100_000, 64, 'sha512', () => undefined)
    for (let number = 0; number < 70; number += 1) stream.write(number + ${JSON.stringify(kilobyte)})
    process.exit()`
  const env = { ...process.env, UV_THREADPOOL_SIZE: '1' }
  spawnSync(process.execPath, ['--input-type=module', '-e', program], { stdio: ['ignore', output, 'inherit'], env })
  closeSync(output)
  expect(readFileSync(file, 'utf8')).toBe(Array.from({ length: 70 }, (_, number) => number + kilobyte).join(''))
})

test('on a full disk, lines are dropped and counted; when there is room, one line says how many, after the end of a cut one', () => {
  let room = 'one\ntw'.length
  const { lines, written } = openLines((text, done) => {
    const unwritten = text.slice(room)
    room = Math.max(0, room - text.length)
    done(unwritten)
  })
  for (const line of ['one\n', 'two\n', 'three\n']) lines.write(line)
  vi.advanceTimersByTime(20)
  expect(lines.dropped).toBe(2)
  lines.write('four\n')
  vi.advanceTimersByTime(20)
  expect(lines.dropped).toBe(3)
  room = Number.POSITIVE_INFINITY
  for (const line of ['five\n', 'six\n']) {
    lines.write(line)
    vi.advanceTimersByTime(20)
  }
  expect(withoutTime(written[2])).toBe(`\n${told(3)}five\n`)
  expect(written.slice(3)).toEqual(['six\n'])
})

test('while a write does not end, a megabyte of lines waits, and further ones are dropped', () => {
  const ends: ((unwritten: string) => void)[] = []
  const { lines, written } = openLines((_, done) => ends.push(done))
  for (let number = 0; number < 2_000; number += 1) lines.write(kilobyte)
  const waiting = 1_025
  expect(written).toEqual([kilobyte.repeat(65)])
  expect(lines.dropped).toBe(2_000 - 65 - waiting)
  ends[0]!('')
  expect(withoutTime(written[1])).toBe(told(lines.dropped) + kilobyte.repeat(waiting))
})

test('lines that come while the disk is frozen are written when it goes on or refuses, and later ones after them', () => {
  const ends: ((unwritten: string) => void)[] = []
  const { lines, written } = openLines((_, done) => ends.push(done))
  for (const line of ['one\n', 'two\n', 'three\n']) {
    lines.write(line)
    vi.advanceTimersByTime(1_000)
  }
  expect(written).toEqual(['one\n'])
  ends[0]!('')
  vi.advanceTimersByTime(20)
  expect(written).toEqual(['one\n', 'two\nthree\n'])
  lines.write('four\n')
  vi.advanceTimersByTime(1_000)
  ends[1]!('two\nthree\n')
  expect(lines.dropped).toBe(2)
  vi.advanceTimersByTime(20)
  expect(withoutTime(written[2])).toBe(`${told(2)}four\n`)
  ends[2]!('')
  lines.write('five\n')
  vi.advanceTimersByTime(20)
  expect(written[3]).toBe('five\n')
})
