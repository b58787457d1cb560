import { join } from 'node:path'
import { NestFactory } from '@nestjs/core'
import { getRepositoryToken } from '@nestjs/typeorm'
import { Group, serviceOn, token } from './service.js'

const groupIds = Array.from({ length: 200 }, (_, id) => String(id).padStart(32, '0'))

const service = await NestFactory.create(serviceOn(join(process.argv[2], 'nest.db')), { logger: ['error', 'warn'] })
await service.get(getRepositoryToken(Group)).save(groupIds.map((id) => ({ id, categorySchema: [] })))
const server = await service.listen(0, '127.0.0.1')
console.log(`ready ${JSON.stringify({ port: server.address().port, token, groupIds })}`)
