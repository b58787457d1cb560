import type { FastifyInstance } from 'fastify'
import { grantTypes } from '../endpoints/oauth/token-rows.ts'

const wellKnown = '/.well-known/oauth-authorization-server'

/** Metadata of an authorization server (RFC 8414 §2). */
export interface ServerMetadata {
  readonly issuer: string
  readonly authorization_endpoint: string
  readonly token_endpoint: string
  readonly revocation_endpoint: string
  readonly service_documentation: string
  readonly response_types_supported: readonly string[]
  readonly response_modes_supported: readonly string[]
  readonly grant_types_supported: readonly string[]
  readonly token_endpoint_auth_methods_supported: readonly string[]
  readonly code_challenge_methods_supported: readonly string[]
}

/**
 * `exchange_refresh_token` is the public API's own. Without `authorization_response_iss_parameter_supported`, as redirects have
 * no `iss`: a client would keep it in its own address (observed).
 */
export function describeServer(publicUrl: string): ServerMetadata {
  const oauth = `${publicUrl}/sharing/rest/oauth2`
  return {
    issuer: publicUrl,
    authorization_endpoint: `${oauth}/authorize`,
    token_endpoint: `${oauth}/token`,
    revocation_endpoint: `${oauth}/revokeToken`,
    service_documentation: `${publicUrl}/openapi.json`,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: grantTypes,
    token_endpoint_auth_methods_supported: ['none', 'client_secret_post', 'client_secret_basic'],
    code_challenge_methods_supported: ['S256', 'plain'],
  }
}

/** Serves it where RFC 8414 §3.1 has it, at the root with the context path behind, and below the context path. */
export function registerMetadata(app: FastifyInstance, contextPath: string, publicUrl: () => string): void {
  const below = `${contextPath}${wellKnown}`
  // The context path was put before paths that arrived without it.
  for (const url of new Set([below, `${below}${contextPath}`])) {
    app.get(url, (_request, reply) => reply.send(describeServer(publicUrl())))
  }
}
