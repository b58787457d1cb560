import type { FastifyInstance } from 'fastify'
import type { Dependencies } from '../operations/dependencies.ts'
import type { HttpErrorStatus } from './answer.ts'
import { type Application, pathsOf } from './application/application.ts'
import { registerApplication, serveText } from './application/routes.ts'
import { formatOpenApi } from './docs/openapi.ts'
import { formatReference } from './docs/reference/reference.ts'
import type { EndpointSettings } from './endpoints/endpoint.ts'
import { endpointTable } from './endpoints/table.ts'
import { fileNames, pageAssets } from './pages/assets.ts'
import { html } from './pages/html.ts'
import { registerApi } from './replies/api.ts'
import { headersOfPages, makeReplies } from './replies/replies.ts'
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

  registerApi(app, endpointTable, gate, { base, server, replies })
  registerPages(app, gate, { contextPath, server })
  for (const { name, contentType, text } of pageAssets) {
    app.get(`${contextPath}/directory/${name}`, (_request, reply) =>
      reply.headers({ 'content-type': contentType, 'cache-control': 'public, max-age=31536000, immutable' }).send(text),
    )
  }
  const sendNoScreen = registerApplication(app, application, { contextPath, directory: base, publicUrl })
  serveText(app, `${contextPath}/openapi.json`, { contentType: 'application/json; charset=utf-8' }, () =>
    JSON.stringify(formatOpenApi(endpointTable, `${publicUrl()}/sharing/rest`, pageTable), null, 2),
  )
  serveText(app, `${contextPath}/api`, { contentType: 'text/html; charset=utf-8', headers: headersOfPages }, () => {
    const style = html`<link rel="stylesheet" href="${contextPath}/directory/${fileNames.style}">`
    const way = html`<p><a href="${contextPath}/">Cartulary</a> · <a href="${base}">Directory</a></p>`
    return formatReference(endpointTable, pageTable, { style, way })
  })
  registerMetadata(app, contextPath, publicUrl)
  const { reportFailure, draining } = app
  draining.begin.addEventListener('abort', () => dependencies.pullWaits.end())
  registerHealth(app, dependencies.storage, { contextPath, reportFailure, isEnding: draining.isBegun })
  answerUnknownRequests(app, { base, contextPath, publicUrl, replies, sendNoScreen })
  return app
}
