import { describe, expect, test } from 'vitest'
import { startReplay } from '../../../../tests/support/replay/dashboard.ts'
import { stepOf } from '../../../../tests/support/replay/recordings.ts'
import { createQd, signedIn } from '../../../../tests/support/tui/nezha.ts'

const token = `nzp_${'p'.repeat(32)}`

describe('moves, transfers and API tokens, which came with 2.x', () => {
  test('a server is moved; what the dashboard says of each is told', async () => {
    const { dash, qd } = await signedIn()
    const move = (...words: string[]) => qd(['server', 'move', ...words, '--yes'])
    dash.expects('transfers', 'move: online agent without TLS')
    expect((await move('alice-1', '--to-user', '3')).code).toBe(0)
    dash.expects('transfers', 'move: already owned by the target')
    const same = await move('web-1', '--to-user', 'admin')
    expect([same.code, same.stderr]).toEqual([
      1,
      expect.stringMatching(/this user is already the owner[\s\S]*Choose another user/i),
    ])
    dash.expects('transfers', 'move: another one is running')
    const running = await move('db-1', '--to-user', '3')
    expect([running.code, running.stderr]).toEqual([
      1,
      expect.stringMatching(/another transfer is in progress[\s\S]*abort it under Transfers/i),
    ])
  })

  test('servers that could not be moved for several reasons are named with each; a reason that is not known is shown as it came', async () => {
    const { dash, qd } = await signedIn()
    const answers = (...data: object[]) =>
      dash.answersWith((request, response) =>
        request.url === '/api/v1/batch-move/server' ? response.end(JSON.stringify({ success: true, data })) : 'as ever',
      )
    const move = () => qd(['server', 'move', 'web-1', 'db-1', '--to-user', '3', '--yes'])
    answers(
      { server_id: 1, status: 'server_not_found' },
      { server_id: 2, status: 'agent_too_old', error: 'agent 1.17.0 is too old' },
    )
    const two = await move()
    expect(two.code).toBeGreaterThan(0)
    expect(two.stderr).toMatch(/web-1 \(1\): .*isn’t yours/)
    expect(two.stderr).toMatch(/db-1 \(2\): The agent is too old for a transfer; agent 1\.17\.0 is too old/)
    answers({ server_id: 1, status: 'later_word' }, { server_id: 2, status: 'later_word' })
    expect((await move()).stderr).toMatch(/The owner wasn’t changed: later_word/i)
  })

  test('a transfer is given back and tried again; how each ended is listed', async () => {
    const { dash, qd } = await signedIn()
    dash.reads('transfers', 'list as admin')
    expect((await qd(['transfer', 'ls'])).stdout).toMatch(/pending[\s\S]*failed .*rotated secret cannot be delivered/)
    dash.expects('transfers', 'cancel: ok', { after: [['transfers', 'list at the end']] })
    expect((await qd(['transfer', 'cancel', '1', '--yes'])).code).toBe(0)
    expect(JSON.parse((await qd(['transfer', 'get', '1', '--json', 'status'])).stdout)).toEqual({ status: 'cancelled' })
    dash.expects('transfers', 'retry: the one the agent refused')
    expect((await qd(['transfer', 'retry', '2', '--yes'])).code).toBe(0)
  })

  test('what cannot be given back or tried again is refused before it is sent', async () => {
    const { dash, qd } = await signedIn()
    dash.reads('transfers', 'list at the end')
    for (const words of [
      ['transfer', 'cancel', '2', '--yes'],
      ['transfer', 'cancel', '3', '--yes'],
    ])
      expect((await qd(words)).code).toBe(1)
    expect(dash.calls().some((call) => call.startsWith('POST transfer'))).toBe(false)
  })

  test('a token is made, shown once, and deleted', async () => {
    const { dash, qd } = await signedIn()
    dash.expects('api-tokens', 'create: everything')
    const made = await qd(['api-token', 'create', '--name', 'ci', '--scopes', 'nezha:*', '--expires-in-days', '30'])
    expect([made.code, made.stdout]).toEqual([0, `${token}\n`])
    expect((await qd(['api-token', 'ls', '--json'])).stdout).not.toContain(token)
    dash.says('api-tokens', [{ id: 4, name: 'mine', scopes: ['nezha:server:*'], created_at: '2026-11-20T10:00:00Z' }])
    dash.expects('api-tokens', 'delete: admin deletes the token of another user')
    expect((await qd(['api-token', 'rm', 'mine', '--yes'])).code).toBe(0)
  })

  test.each([
    ['PAT: missing scope', /token .*nezha:cron:read|nezha:cron:read/],
    ['deleted token no longer works', /invalid API token/],
  ])('a token: %s', async (step, words) => {
    const dash = await startReplay()
    const { response: said } = stepOf('api-tokens', step)
    dash.answersWith((_request, response) => void response.writeHead(said.status).end(JSON.stringify(said.body)))
    const { code, stderr } = await createQd({ QD_URL: dash.url, QD_TOKEN: token })(['cron', 'ls'])
    expect([code > 0, stderr]).toEqual([true, expect.stringMatching(words)])
  })
})

describe.each([1, 2] as const)('files on %i.x', (generation) => {
  const home = '1:/tmp/fx/home'

  test('an upload arrives, also of no bytes', async () => {
    const { dash, qd } = await signedIn({ generation })
    dash.expects('terminal-file', 'file: ok')
    const sent = await qd(['files', 'put', '-', `${home}/up.txt`], 'uploaded by fixture\n')
    expect([sent.code, sent.stderr]).toEqual([0, expect.not.stringContaining('error')])
    dash.expects('terminal-file', 'file: ok')
    expect((await qd(['files', 'put', '-', `${home}/up0.txt`], '')).code).toBe(0)
  })

  test('an upload that is refused says why and sends nothing more', async () => {
    const { dash, qd } = await signedIn({ generation })
    dash.expects('terminal-file', 'file: ok')
    const { code, stderr } = await qd(['files', 'put', '-', '1:/tmp/fx/private/up.txt'], '12345')
    expect([code, stderr]).toEqual([1, expect.stringContaining('permission denied')])
  })

  test('a folder is no file, and what cannot be read says so', async () => {
    const { dash, qd } = await signedIn({ generation })
    for (const [path, code, words] of [
      [`${home}/sub`, 1, /is a directory/],
      ['1:/tmp/fx/private/x', 1, /permission denied/],
      [`${home}/missing.txt`, 3, /no such file/],
    ] as const) {
      dash.expects('terminal-file', 'file: ok')
      expect(await qd(['files', 'get', path, '-'])).toMatchObject({ code, stderr: expect.stringMatching(words) })
    }
  })
})
