import { expect, test } from 'vitest'
import { Changes } from '../../../pages/src/state/changes.ts'

test('each watcher is called after each change, until it stops, and once for each watch', () => {
  const changes = new Changes<string>()
  const heard: string[] = []
  const listener = (detail: string) => void heard.push(detail)
  const stops = [changes.watch(listener), changes.watch(listener)]
  changes.emit('a')
  stops[0]!()
  changes.emit('b')
  stops[1]!()
  changes.emit('c')
  expect(heard).toEqual(['a', 'a', 'b'])
})

test('a listener that is added by a change is called from the next one on', () => {
  const changes = new Changes()
  let calls = 0
  changes.watch(() => changes.watch(() => (calls += 1)))
  changes.emit()
  expect(calls).toBe(0)
  changes.emit()
  expect(calls).toBe(1)
})
