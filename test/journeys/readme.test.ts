import { describe, expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { paste, readDocument, shellBlocks, shownIn, startServer, walkPassword } from './shell-walk.ts'

const readme = readDocument('README.md')
const quickstart = readDocument('docs/quickstart.md')
const inviting = readDocument('docs/inviting.md')

const [start, firstCall, startSecond] = shellBlocks(readme, 'Start')
const [walk] = shellBlocks(quickstart, 'The first minute')
const [secondWalk] = shellBlocks(quickstart, 'Content by category')
const [thirdWalk] = shellBlocks(quickstart, 'People, and the end of a token')
const [inviteWalk] = shellBlocks(inviting, 'Revoke an invitation')

describe('the README', () => {
  test('walks through the first minute with the answers that it shows', async () => {
    const shown = shownIn(walk!)
    expect(shown).toHaveLength(6)
    await using server = await startServer()
    const { stdout } = await paste(`set -e\n${walk}`, { API: server.api, PASSWORD: walkPassword })
    const printed = stdout.split('\n').map((line) => line.trim())
    let after = 0
    for (const line of shown) {
      const at = printed.indexOf(line, after)
      expect(at, `${line} after line ${after} of:\n${stdout}`).toBeGreaterThanOrEqual(after)
      after = at + 1
    }
  })

  test('goes on to content by category, and people, in the same shell, with no answers but those that it shows', async () => {
    await using server = await startServer()
    const all = `set -e\n${walk}\necho second walk\n${secondWalk}${thirdWalk}`
    const { stdout } = await paste(all, { API: server.api, PASSWORD: walkPassword })
    const shown = [...shownIn(secondWalk!), ...shownIn(thirdWalk!)]
    expect(stdout.split('second walk\n')[1]!.trimEnd().split('\n')).toEqual(shown)
  })

  test('and its page on partners invite one and take the invitation back', async () => {
    await using server = await startServer()
    const both = `set -e\n${walk}\necho second walk\n${inviteWalk}`
    const { stdout } = await paste(both, { API: server.api, PASSWORD: walkPassword })
    expect(stdout.split('second walk\n')[1]!.trimEnd().split('\n')).toEqual(shownIn(inviteWalk!))
  })

  test('says why that walk does not work where the password is wrong', async () => {
    await using server = await startServer()
    const failed = await paste(walk!, { API: server.api, PASSWORD: 'wrong' }).catch((error: unknown) => error)
    expect(failed).toMatchObject({ stdout: '', stderr: expect.stringContaining('TOKEN: Sign-in failed') })
  })

  test('starts the server with the password of that walk', () => {
    expect(start).toBe(`ADMIN_PASSWORD='${walkPassword}' npm start\n`)
    expect(walk).toContain(`PASSWORD=\${PASSWORD:-${walkPassword}}\n`)
  })

  test('starts a second server with settings that keep it apart from the first', () => {
    expect(startSecond!.endsWith(start!)).toBe(true)
    const words = startSecond!.slice(0, -start!.length).trim().split(' ')
    const given = Object.fromEntries(words.map((word) => word.split('=') as [string, string]))
    const [first, second] = [readConfig({}), readConfig(given)]
    expect(second.port).not.toBe(first.port)
    expect(second.database).not.toEqual(first.database)
    // A fresh clone has no folder for data.
    expect(second.database).toEqual({ engine: 'sqlite', file: './second.db' })
    expect(quickstart).toContain(`API=http://localhost:${second.port}/sharing/rest`)
  })

  test('has a first call that needs no token', async () => {
    await using server = await startServer()
    const { stdout } = await paste(firstCall!.replace('http://localhost:8080/sharing/rest', server.api))
    expect(JSON.parse(stdout)).toMatchObject({ name: 'Cartulary', access: 'private' })
  })
})
