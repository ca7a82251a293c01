import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { TestIoOptions } from '../../../../tests/support/tui/io.ts'
import { runQd } from '../../../../tests/support/tui/run.ts'
import { good, type RecordingServer, type Reply, startRecordingServer } from '../../../../tests/support/tui/server.ts'

const refused: Reply = {
  status: 403,
  body: { error: 'ApiErrorForbidden: step-up required', code: 'stepUpRequired' },
}
const at = '2026-11-20T12:00:00Z'

let server: RecordingServer
beforeEach(async () => {
  server = await startRecordingServer({
    'POST login': good({ token: 'j', expire: '2027-11-20T12:00:00Z' }),
    profile: good({ id: 1, username: 'admin', role: 0 }),
    capabilities: good({ capabilities: ['api-tokens'] }),
    'api-tokens': good([{ id: 4, name: 'ci', scopes: ['nezha:cron:read'], created_at: at }]),
    server: good([]),
    'POST api-tokens': [refused, good({ id: 4, name: 'ci', token: 'nzp_secret', scopes: ['nezha:cron:read'] })],
    'POST step-up': good(null),
  })
})
afterEach(() => server.close())

async function create(options: TestIoOptions) {
  const args = 'api-token create --name ci --scopes nezha:cron:read'.split(' ')
  return runQd({ args, ...options, env: { QD_URL: server.url, ...options.env } })
}
const changes = () => server.changes.map(({ method, path }) => `${method} ${path}`)
const proofs = () => server.changes.filter(({ path }) => path === 'step-up').map(({ body }) => body)

describe('R-12 the server wants the password once more', () => {
  test('QD_PASSWORD gives it, and the call is sent again', async () => {
    const { code, stdout } = await create({ env: { QD_USER: 'admin', QD_PASSWORD: 'right' } })
    expect([code, stdout]).toEqual([0, 'nzp_secret\n'])
    expect(proofs()).toEqual([{ password: 'right' }])
    expect(changes()).toEqual(['POST login', 'POST api-tokens', 'POST step-up', 'POST api-tokens'])
  })

  test('at a terminal it is asked for', async () => {
    const { code, stdout, stderr } = await create({ terminal: ['stdin', 'stderr'], input: 'typed\n' })
    expect([code, stdout]).toEqual([0, 'nzp_secret\n'])
    expect(stderr).toContain('Confirm your password:')
    expect(proofs()).toEqual([{ password: 'typed' }])
  })

  test('where nobody can be asked it says what to do, with exit code 4, and nothing is sent twice', async () => {
    const { code, stdout, stderr } = await create({})
    expect([code, stdout]).toEqual([4, ''])
    expect(stderr).toContain('QD_PASSWORD')
    expect(changes()).toEqual(['POST api-tokens'])
  })
})
