import { expect, onTestFinished, test, vi } from 'vitest'

/** Its types are those of a browser. */
const module = '../../../pages/src/session/other-tabs.ts' as string

interface Tab {
  answerOtherTabs(answers: {
    readonly refreshToken: () => string | undefined
    readonly signedIn: (token: string) => void
    readonly signedOut: () => void
  }): void
  holdSignIn(isSignedIn: boolean): void
  askOtherTabs(): Promise<string | undefined>
  tellOtherTabs(refreshToken: string): void
  signOutOtherTabs(): void
}

/** The module as a tab of the server at this path has it: tabs share the origin's locks and channels. */
async function openTab(path: string, refreshToken?: string) {
  vi.resetModules()
  vi.stubGlobal('document', { baseURI: `https://maps.example.com${path}` })
  onTestFinished(() => {
    vi.unstubAllGlobals()
  })
  const tab: Tab = await import(module)
  const said: string[] = []
  tab.answerOtherTabs({
    refreshToken: () => refreshToken,
    signedIn: (token) => void said.push(`in ${token}`),
    signedOut: () => void said.push('out'),
  })
  tab.holdSignIn(refreshToken !== undefined)
  return { ...tab, said }
}

test('tabs of one server have one sign-in, and those of another server of the origin have none of it', async () => {
  const production = await openTab('/production/', 'of production')
  const staging = await openTab('/test/')
  const beside = await openTab('/production/')
  await expect.poll(() => beside.askOtherTabs()).toBe('of production')
  expect(await staging.askOtherTabs()).toBeUndefined()
  // The channel keeps the order: what comes last has been preceded by what would have come.
  staging.signOutOtherTabs()
  beside.signOutOtherTabs()
  await expect.poll(() => production.said).toEqual(['out'])
  production.tellOtherTabs('another')
  await expect.poll(() => beside.said).toEqual(['in another'])
  expect(staging.said).toEqual([])
})
