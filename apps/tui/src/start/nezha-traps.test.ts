import { createClient, createCookieJar } from '@qd/core/api'
import { createFileSession } from '@qd/core/files'
import { fileMarks, toDownloadHeader, toFileError } from '@qd/protocol/files'
import { describe, expect, test } from 'vitest'
import { cliText, english } from '../../../../tests/support/english.ts'
import { type Replay, startReplay } from '../../../../tests/support/replay/dashboard.ts'
import { createTestIo } from '../../../../tests/support/tui/io.ts'
import { createQd, signedIn } from '../../../../tests/support/tui/nezha.ts'
import { createOpenSocket } from '../base/connect/socket.ts'
import { createFetch } from '../base/connect/transport.ts'

const changes = (dash: Replay) => dash.calls().filter((call) => /^(POST|PATCH|DELETE) (?!login|refresh)/.test(call))
const bytes = (text: string) => new TextEncoder().encode(text)

/** The files of server 1, with one session to come. */
async function filesAt(dash: Replay) {
  const ports = { ...createTestIo(), fetch: createFetch({}), openSocket: createOpenSocket({}) }
  const client = createClient({ ports, baseUrl: dash.url, credentials: { kind: 'jar', jar: createCookieJar() } })
  await client.login('admin', 'admin')
  dash.expects('terminal-file', 'file: ok')
  const headers = () => client.socketHeaders()
  return createFileSession({ server: 1, api: client, baseUrl: dash.url, headers, ports })
}

describe.each([1, 2] as const)('traps in what a dashboard of %i.x answers', (generation) => {
  test.each([
    ['started by alerts alone', 'trigger', /runs only on alerts/],
    ['for no server', 'nosrv', /No servers/],
    ['for a server that is gone', 'unk', /No servers/],
  ])('a task %s would be “sent” to nobody, and is refused before', async (_what, name, reason) => {
    const { dash, qd } = await signedIn({ generation })
    const { code, stderr } = await qd(['cron', 'run', name])
    expect([code, stderr]).toEqual([1, expect.stringMatching(reason)])
    expect(changes(dash)).toEqual([])
  })

  test('the output of commands is told nowhere, and nothing pretends to show it', async () => {
    const { dash, qd } = await signedIn({ generation })
    const { code, stderr } = await qd(['exec', 'web-1', '--', 'id'])
    expect([code, stderr]).toEqual([
      5,
      expect.stringContaining(`error: ${cliText('errors.unsupported')}\n  ${english.t('ui.cli.run.noLedger')}\n`),
    ])
    expect(changes(dash)).toEqual([])
  })

  test('services are moved where the dashboard keeps their order; where it does not, nothing is sent as if it did', async () => {
    const { dash, qd } = await signedIn({ generation })
    const sent = () => dash.calls().filter((call) => call.startsWith('PATCH service'))
    if (generation === 1) {
      const { code, stderr } = await qd(['service', 'move-up', '3'])
      expect([code, stderr]).toEqual([5, expect.stringContaining(cliText('errors.unsupported'))])
      const edit = await qd(['service', 'edit', '3', '--weight', '9'])
      expect([edit.code, sent()]).toEqual([5, []])
      return
    }
    const { stdout } = await qd(['service', 'move-up', '3', '--dry-run'])
    expect(stdout).toContain('display_index')
    expect(JSON.parse((await qd(['service', 'get', '1', '--json', 'display_index'])).stdout)).toEqual({
      display_index: 3,
    })
  })

  test('a folder that cannot be read comes back as the home folder, and that is said', async () => {
    const { dash, qd } = await signedIn({ generation })
    dash.expects('terminal-file', 'file: ok')
    const { code, stdout, stderr } = await qd(['files', 'ls', '1:/tmp/fx/private'])
    expect([code, stdout]).toEqual([3, ''])
    expect(stderr).toContain('can’t read this folder; the agent returned /tmp/fx/home instead')
  })

  test('an empty file comes as an error, and is a file of no bytes', async () => {
    const { dash, qd } = await signedIn({ generation })
    dash.expects('terminal-file', 'file: ok')
    expect(await qd(['files', 'get', '1:/tmp/fx/home/empty.txt', '-'])).toEqual({ code: 0, stdout: '', stderr: '' })
  })

  test('data that begins like an error is data, and an error in the middle is one', async () => {
    const dash = await startReplay({ generation })
    const files = await filesAt(dash)
    const piece = bytes(`${fileMarks.error}\u0000\u0001 these bytes are the file’s own`)
    dash.streams.filesSay(() => [toDownloadHeader(piece.length + 4), piece, bytes('tail')])
    const got: Uint8Array[] = []
    await files.download('/x', { write: (part) => void got.push(part) })
    expect(Buffer.concat(got)).toEqual(Buffer.concat([piece, bytes('tail')]))
    dash.expects('terminal-file', 'file: ok')
    dash.streams.filesSay(() => [toDownloadHeader(100), bytes('some'), toFileError('read /x: input/output error')])
    const failed = await files.download('/x', { write: () => undefined }).catch((error: unknown) => error)
    expect(failed).toMatchObject({ code: 'failed', params: { text: 'read /x: input/output error' } })
    files.close()
  })

  test('a file that grows while it is read ends at the size that was told', async () => {
    const dash = await startReplay({ generation })
    const files = await filesAt(dash)
    dash.streams.filesSay(() => [toDownloadHeader(4), bytes('1234 and what came later'), bytes('and more')])
    const got: Uint8Array[] = []
    const taken = await files.download('/x', { write: (part) => void got.push(part) })
    expect([taken, Buffer.concat(got).toString()]).toEqual([{ size: 4, grew: true }, '1234'])
    files.close()
  })

  test('an upload that is cancelled ends its stream, and says that the file there is incomplete', async () => {
    const dash = await startReplay({ generation })
    const files = await filesAt(dash)
    let frames = 0
    dash.streams.filesSay(() => {
      frames += 1
      return []
    })
    const stop = new AbortController()
    const source = { size: 1024 ** 3, read: async (_at: number, length: number) => new Uint8Array(length) }
    const sent = files.upload('/x', source, { signal: stop.signal }).catch((error: unknown) => error)
    await expect.poll(() => frames).toBeGreaterThan(2)
    stop.abort()
    expect(await sent).toMatchObject({ code: 'fileIncomplete' })
    await expect.poll(() => dash.streams.open()).toBe(0)
    files.close()
  })

  test('a sign-out cannot end the sign-in there, and says until when it goes on', async () => {
    const { qd } = await signedIn({ generation })
    const { code, stderr } = await qd(['logout'])
    expect([code, stderr]).toEqual([0, expect.stringMatching(/Signed out of http[\s\S]*can use it until \w+, \w+ \d+/)])
    expect((await qd(['server', 'ls'])).code).toBe(4)
  })

  test('the first account with the first password is told so at each sign-in', async () => {
    const first = await startReplay({ generation })
    const words = (url: string, user: string) => ['login', url, '--user', user, '--password-file', '-']
    expect((await createQd()(words(first.url, 'admin'), 'admin')).stderr).toContain('Anyone can sign in here')
    const other = await startReplay({ generation, as: 'member' })
    expect((await createQd()(words(other.url, 'alice'), 'alice-pass-1')).stderr).not.toContain('Anyone can sign in')
  })

  test('a token in an address is neither sent nor kept nor shown', async () => {
    const dash = await startReplay({ generation })
    const qd = createQd()
    const address = `${dash.url}/dashboard/server?token=secret.of.somebody`
    const { code, stderr, stdout } = await qd(['login', address, '--user', 'admin', '--password-file', '-'], 'admin')
    expect([code, stderr + stdout]).toEqual([0, expect.not.stringContaining('secret.of')])
    expect((await qd(['profile', 'ls', '--json'])).stdout).not.toContain('secret.of')
    expect(dash.calls().join()).not.toContain('token=')
  })

  test('a profile is never sent with an empty password', async () => {
    const { dash, qd } = await signedIn({ generation })
    const files = ['--current-file', '/dev/null', '--new-file', '/dev/null']
    const { code, stderr } = await qd(['account', 'password', ...files])
    expect([code, stderr]).toEqual([2, expect.stringContaining('is empty')])
    expect(changes(dash)).toEqual([])
  })
})
