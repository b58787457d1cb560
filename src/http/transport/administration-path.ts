/**
 * The administration API of the public portal lies beside `/sharing` (documented). Here its operations are below the base
 * like all others, so a path to them is rewritten. Repeated slashes and the case of letters do not matter.
 */
export function rewriteAdministrationPath(publicUrl: string | undefined): (url: string) => string {
  const context = publicUrl === undefined ? '' : new URL(publicUrl).pathname.replace(/\/+$/, '')
  const before = context.split('/').slice(1).map(RegExp.escape)
  const beside = new RegExp(`^${['', ...before, 'portaladmin'].join('/+')}(?=[/?]|$)`, 'i')
  return (url) => url.replace(beside, `${context}/sharing/rest/portaladmin`)
}
