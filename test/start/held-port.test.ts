import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { expect, test } from 'vitest'
import { ConfigError, readConfig } from '../../src/config.ts'
import { openServer } from '../../src/server.ts'
import { holdPorts, urlOf } from '../../src/start/held-port.ts'
import { RawConnection, requestText } from '../support/faults/socket.ts'
import { adminPassword, cheapPasswords, formEncode } from '../support/portal/portal.ts'

const anywhere = { port: 0, host: '127.0.0.1', metrics: undefined }

test('requests that come before the server are answered by it, in place of being refused', async () => {
  const { api } = await holdPorts(anywhere)
  const url = `http://127.0.0.1:${api.port}`
  const early = await Promise.all(
    [1, 2].map(async (number) => {
      const connection = new RawConnection(url)
      await connection.send(requestText(`GET /early/${number}`, { Connection: 'close' }))
      return connection
    }),
  )
  const server = createHttpServer((request, response) => response.end(request.url))
  await api.giveTo(server)
  expect(urlOf(server, 'http')).toBe(url)
  const bodies = await Promise.all(early.map(async (connection) => (await connection.read()).body))
  expect(bodies).toEqual(['/early/1', '/early/2'])
  expect(await (await fetch(`${url}/late`)).text()).toBe('/late')
  server.closeIdleConnections()
  server.close()
  await once(server, 'close')
  await expect(fetch(url)).rejects.toThrow('fetch failed')
})

test('a request on a connection that waited for the server is answered before its database is closed', async () => {
  const config = readConfig({ DATABASE_URL: 'file::memory:', ADMIN_PASSWORD: adminPassword, LOG_LEVEL: 'silent' })
  const held = await holdPorts(anywhere)
  const url = `http://127.0.0.1:${held.api.port}`
  const form = formEncode({ username: 'admin', password: adminPassword })
  const early = new RawConnection(url)
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded', 'Content-Length': String(form.length) }
  await early.send(requestText('POST /sharing/rest/generateToken', headers, form.slice(0, -5)))
  const server = await openServer(config, { passwords: cheapPasswords })
  await server.listen(held)
  // The server answers requests in the order of their arrival: the sign-in has reached it.
  await fetch(`${url}/health/live`)
  const closed = server.close()
  await once(server.app.server, 'close')
  await early.send(form.slice(-5))
  expect(JSON.parse((await early.read()).body)).toHaveProperty('token')
  await closed
})

test('a port that is released is free again', async () => {
  const { api } = await holdPorts(anywhere)
  const taken = holdPorts({ ...anywhere, port: api.port })
  await expect(taken).rejects.toThrow(`The address 127.0.0.1:${api.port} is in use; set PORT or HOST to another one.`)
  api.release()
  const again = await holdPorts({ ...anywhere, port: api.port })
  again.api.release()
})

test('where one of two ports is taken, neither is held', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const free = await holdPorts(anywhere)
  free.api.release()
  const held = holdPorts({ port: free.api.port, host: '127.0.0.1', metrics: { port, host: '127.0.0.1' } })
  await expect(held).rejects.toBeInstanceOf(ConfigError)
  other.close()
  const again = await holdPorts({ ...anywhere, port: free.api.port })
  again.api.release()
})

test('localhost is served on every address that it stands for', async () => {
  const { api } = await holdPorts({ ...anywhere, host: 'localhost' })
  const server = createHttpServer((request, response) => response.end(request.url))
  await api.giveTo(server)
  expect(await (await fetch(`http://localhost:${api.port}/name`)).text()).toBe('/name')
  expect(await (await fetch(`http://127.0.0.1:${api.port}/address`)).text()).toBe('/address')
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
  await expect(fetch(`http://127.0.0.1:${api.port}`)).rejects.toThrow('fetch failed')
})
