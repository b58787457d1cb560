import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { check } from './checker.ts'
import { register } from './models.ts'
import { parseJepsenLog, parseTextLog, texts } from './recorded-histories.ts'

/** The folder of histories that the authors of Porcupine collected, with the known verdicts. */
const folder = process.env['PORCUPINE_HISTORIES']

if (folder === undefined) {
  test('PORCUPINE_HISTORIES is not set: recorded histories of other systems are not checked in this run', () => {
    expect(process.env).not.toHaveProperty('PORCUPINE_HISTORIES')
  })
} else {
  const read = (...path: readonly string[]) => readFileSync(join(folder, ...path), 'utf8')

  test('102 histories that Jepsen recorded of etcd have their known verdicts, 23 of them legal', () => {
    const known: Readonly<Record<string, boolean>> = JSON.parse(read('jepsen-answers.json'))
    const verdicts = Object.keys(known).map((number) => {
      const history = parseJepsenLog(read('test_data', 'jepsen', `etcd_${number}.log`))
      expect(history.length).toBeGreaterThan(50)
      return [number, check(register, history).outcome]
    })
    expect(Object.fromEntries(verdicts)).toEqual(
      Object.fromEntries(Object.entries(known).map(([number, isLegal]) => [number, isLegal ? 'legal' : 'illegal'])),
    )
    expect(verdicts).toHaveLength(102)
    expect(verdicts.filter(([, outcome]) => outcome === 'legal')).toHaveLength(23)
  })

  test('six histories of texts by key, of up to 50 clients, have the verdicts that their names say', () => {
    const names = readdirSync(join(folder, 'test_data', 'kv'))
    const verdicts = names.map((name) => [name, check(texts, parseTextLog(read('test_data', 'kv', name))).outcome])
    expect(verdicts).toEqual(names.map((name) => [name, name.endsWith('-ok.txt') ? 'legal' : 'illegal']))
    expect(names).toHaveLength(6)
  })
}
