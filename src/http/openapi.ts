import type { Operation } from './operation.ts'

export function formatOpenApi(table: readonly Operation[], server: string): object {
  return { openapi: '3.1.0', servers: [{ url: server }], paths: {}, info: { title: 'Cartulary', version: '0' }, table }
}
