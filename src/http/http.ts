import type { FastifyInstance } from 'fastify'
import type { Dependencies } from '../operations/dependencies.ts'
import type { HttpErrorStatus } from './answer.ts'
import { type Application, pathsOf } from './application/application.ts'
import { registerApplication } from './application/routes.ts'
import { formatOpenApi } from './docs/openapi.ts'
import { formatReference } from './docs/reference/reference.ts'
import type { EndpointSettings } from './endpoints/endpoint.ts'
import { endpointTable } from './endpoints/table.ts'
import { fileNames, pageAssets } from './pages/assets.ts'
import { html } from './pages/html.ts'
import { registerApi } from './replies/api.ts'
import { makeReplies, sendHtml, sendJson } from './replies/replies.ts'
import { answerUnknownRequests } from './replies/unknown-requests.ts'
import { openGate } from './requests/gate.ts'
import { openRefusals } from './requests/refusals.ts'
import type { ServerContext } from './requests/runner.ts'
import { registerMetadata } from './sign-in/metadata.ts'
import { pageTable, registerPages } from './sign-in/register-pages.ts'
import { registerHealth } from './telemetry/health.ts'
import { countRecentRequests } from './telemetry/recent-requests.ts'
import { contextPathOf } from './transport/context-path.ts'
import { createTransport, type TransportSettings } from './transport/transport.ts'

export interface HttpSettings extends EndpointSettings, TransportSettings {
  readonly httpErrorStatus: HttpErrorStatus
}

/**
 * The HTTP server, not listening yet. `publicUrl` is a function because the port may be known only after listening.
 * `application` is what browsers get at the root; undefined where it is not built.
 */
export async function createHttp(
  dependencies: Dependencies,
  settings: HttpSettings,
  publicUrl: () => string,
  application?: Application,
): Promise<FastifyInstance> {
  const contextPath = contextPathOf(publicUrl())
  const base = `${contextPath}/sharing/rest`
  const app = await createTransport({ ...settings, pathsOfApplication: pathsOf(application) }, dependencies)
  countRecentRequests(app, endpointTable, dependencies)

  const gate = openGate(app, dependencies)
  const refusals = openRefusals(dependencies, (error) => app.reportFailure(error, 'audit failed'))
  app.addHook('onClose', () => refusals.close())
  const server: ServerContext = { dependencies, publicUrl, settings, refusals }
  const { answerBytes } = dependencies.limits
  const { httpErrorStatus } = settings
  const replies = makeReplies({ base, contextPath, publicUrl, answerBytes, httpErrorStatus })

  registerApi(app, endpointTable, gate, { base, contextPath, server, replies })
  registerPages(app, gate, { contextPath, server })
  for (const { name, contentType, text } of pageAssets) {
    app.get(`${contextPath}/directory/${name}`, (_request, reply) =>
      reply.headers({ 'content-type': contentType, 'cache-control': 'public, max-age=31536000, immutable' }).send(text),
    )
  }
  const sendNoScreen = registerApplication(app, application, { contextPath, directory: base, publicUrl })
  /** As bytes: encoding a text of a megabyte takes a millisecond of the thread. */
  let openApi: Buffer | undefined
  app.get(`${contextPath}/openapi.json`, (_request, reply) => {
    openApi ??= Buffer.from(
      JSON.stringify(formatOpenApi(endpointTable, `${publicUrl()}/sharing/rest`, pageTable), null, 2),
    )
    return sendJson(reply, openApi)
  })
  let reference: Buffer | undefined
  app.get(`${contextPath}/api`, (_request, reply) => {
    const style = html`<link rel="stylesheet" href="${contextPath}/directory/${fileNames.style}">`
    reference ??= Buffer.from(formatReference(endpointTable, pageTable, style))
    return sendHtml(reply, reference)
  })
  registerMetadata(app, contextPath, publicUrl)
  const { reportFailure, draining } = app
  registerHealth(app, dependencies.storage, { contextPath, reportFailure, isEnding: draining.isBegun })
  answerUnknownRequests(app, { base, contextPath, publicUrl, replies, sendNoScreen })
  return app
}
