import { ProviderFailure } from '../../../identities/provider.ts'
import { optionalText } from '../../endpoints/parameter-types.ts'
import { type PageAnswer, type PageRow, pageRow } from '../page-row.ts'

/** Sign-out that begins at the identity provider, which calls this itself (OpenID Connect Back-Channel Logout 1.0). */
export const logoutRow: PageRow = pageRow({
  id: 'endProviderSessions',
  title: 'Sign-out at the identity provider',
  task: 'end sessions',
  path: '/oidc/backchannelLogout',
  isAtRoot: true,
  isForPrograms: true,
  methods: ['POST'],
  effect: 'change',
  parameters: { logout_token: optionalText('The logout token.', { isSecret: true }) },
  summary: 'Ends the browser sessions that the logout token names, and what apps were granted by them.',
  source: 'OpenID Connect Back-Channel Logout 1.0',
  chosen: ['A logout token counts once, and for two minutes.'],
  async answer(visit) {
    const { dependencies, input, requestParameters } = visit
    const { identityProvider, random } = dependencies
    if (!identityProvider) return refused('There is no identity provider on this server.')
    const token = 'value' in input ? input.value.logout_token : undefined
    if (!token || requestParameters.isInQuery('logout_token')) return refused('logout_token is required in the body.')
    try {
      const { tokenId, ...notice } = await identityProvider.readLogoutToken(token)
      const tokenHash = random.hashToken(`${notice.issuer} ${tokenId}`)
      const { isAccepted } = await visit.run('endProviderSessions', { ...notice, tokenHash })
      return isAccepted ? { status: 200, json: {} } : refused('The logout token was used before.')
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error
      visit.warn(error.message)
      return refused('The logout token is not valid.')
    }
  },
  // Not 200, which would say that the sessions have ended.
  answerRefusal: async () => refused('The sessions could not be ended.'),
})

function refused(description: string): PageAnswer {
  return { status: 400, json: { error: 'invalid_request', error_description: description } }
}
