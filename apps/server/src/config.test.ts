import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { parseConfig } from './config.ts'

test('a demo takes nothing of the real server: neither its folder nor its database nor its secret', () => {
  const environment = { QD_DATA: '/srv/real', DATABASE_URL: 'postgres://a@127.0.0.1/b', QD_AGENT_SECRET: 'real-secret' }
  const own = { data: resolve('data-demo'), databaseUrl: null, agentSecret: null, agent: false }
  expect(parseConfig(['--demo'], environment)).toMatchObject(own)
  expect(parseConfig([], environment)).toMatchObject({ agentSecret: 'real-secret', data: '/srv/real' })
})
