import type { FirstRun } from '../../first-organization.ts'

/**
 * The frame with the credentials of a new organization: a generated password is shown here, and never again; nor is the link to
 * its first run, where there is one.
 */
export function formatFirstRun({ portal, username, generatedPassword }: FirstRun, link?: string): string {
  const lines = [
    `Organization   ${portal.name} (${portal.portalId})`,
    `Username       ${username}`,
    generatedPassword === undefined ? 'Password       the one that you gave' : `Password       ${generatedPassword}`,
    ...(generatedPassword === undefined
      ? []
      : ['', 'This password is shown only now. Keep it, or change it after signing in.']),
    ...(link === undefined
      ? []
      : [
          '',
          'Or choose name, administrator and password in a browser: once, within 24 hours,',
          'and before the first sign-in with the password above:',
          link,
        ]),
  ]
  const width = Math.max(...lines.map(({ length }) => length))
  const edge = '═'.repeat(width + 4)
  return ['', `╔${edge}╗`, ...lines.map((line) => `║  ${line.padEnd(width)}  ║`), `╚${edge}╝`, ''].join('\n')
}
