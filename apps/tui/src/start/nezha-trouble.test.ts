import { describe, expect, test } from 'vitest'
import { makeCertificate } from '../../../../tests/support/certificates.ts'
import { type Replay, startReplay } from '../../../../tests/support/replay/dashboard.ts'
import { stepOf } from '../../../../tests/support/replay/recordings.ts'
import { createQd, signedIn } from '../../../../tests/support/tui/nezha.ts'

const page = (status: number, body: string) => (dash: Replay) =>
  dash.answersWith((_request, response) => void response.writeHead(status, { 'Content-Type': 'text/html' }).end(body))

describe('signing in elsewhere than at a dashboard', () => {
  const enter = (url: string) =>
    createQd()(['login', url, '--user', 'admin', '--password-file', '-', '--retries', '0'], 'admin')

  test.each<[string, (dash: Replay) => void, number, RegExp]>([
    ['a web site', page(404, '<html>nginx'), 1, /this server has no such endpoint\n[\s\S]*dashboard itself/],
    ['a page for everything', page(200, '<!doctype html>'), 1, /this server has no such endpoint/],
    [
      'a proxy whose dashboard is down',
      page(502, '<html>Bad Gateway'),
      9,
      /can’t reach the server\n {2}A proxy in front of the server returned 502/,
    ],
    ['another program', page(200, '{"hello":1}'), 1, /unexpected response from the server\n[\s\S]*dashboard itself/],
    [
      'a program that takes no POST',
      page(501, '<!doctype html>'),
      1,
      /^error: server error \(HTTP 501\)\n[\s\S]*dashboard itself/,
    ],
    ['a dashboard whose handler broke', page(500, ''), 1, /^error: server error \(HTTP 500\)/],
    ['a version before 1.0', page(405, ''), 1, /this server has no such endpoint/],
  ])('%s', async (_name, answer, code, words) => {
    const dash = await startReplay()
    answer(dash)
    const ended = await enter(dash.url)
    expect([ended.code, ended.stdout, ended.stderr]).toEqual([code, '', expect.stringMatching(words)])
    expect(ended.stderr).not.toMatch(/<|Unexpected/)
  })

  test('nothing there, a name that does not exist, no address at all', async () => {
    const dash = await startReplay()
    await dash.close()
    expect(await enter(dash.url)).toMatchObject({
      code: 9,
      stderr: expect.stringMatching(
        /can’t reach http[^\n]*\n {2}Connection refused: nothing is listening there\n[\s\S]*try: check the address, and that the server is running\n/,
      ),
    })
    expect(await enter('http://nobody.invalid')).toMatchObject({
      code: 9,
      stderr: expect.stringMatching(
        /\n {2}(The hostname doesn’t resolve to an address|The hostname can’t be resolved right now)\n/,
      ),
    })
    expect((await enter('ftp://x')).code).toBe(2)
  })

  test('a certificate that has expired', async () => {
    const old = await startReplay({ certificate: makeCertificate({ days: 'expired', name: 'old' }) })
    expect(await enter(old.url)).toMatchObject({
      code: 9,
      stderr: expect.stringMatching(/\n {2}The certificate has expired\n[\s\S]*try: renew the certificate/),
    })
  })

  test('a certificate that nobody knows, and no TLS where some was expected', async () => {
    const secure = await startReplay({ certificate: makeCertificate({ days: 2, name: 'upstream' }) })
    expect(await enter(secure.url)).toMatchObject({
      code: 9,
      stderr: expect.stringMatching(
        /signed by an unknown authority\n[\s\S]*try: set NODE_EXTRA_CA_CERTS to a PEM file/,
      ),
    })
    expect((await enter(secure.url.replace('https', 'http'))).stderr).toMatch(/Did you mean https:\/\/\?/)
    const plain = await startReplay()
    const noTls = await enter(plain.url.replace('http', 'https'))
    expect(noTls).toMatchObject({ code: 9, stderr: expect.stringMatching(/Did you mean http:\/\/\?/) })
  })

  test('an API token that nobody knows is not saved, and a version without tokens says so', async () => {
    const enterWith = async (dash: Replay) => {
      const ended = await createQd()(['login', dash.url, '--token-file', '-'], 'nzp_nobody')
      return [ended.code, ended.stderr]
    }
    expect(await enterWith(await startReplay({ generation: 1, version: '1.14.0' }))).toEqual([
      5,
      expect.stringMatching(
        /^error: this version doesn’t support API tokens; they require 2\.1 or later\n {2}try: qd login http/,
      ),
    ])
    const dash = await startReplay()
    const { response: said } = stepOf('api-tokens', 'deleted token no longer works')
    dash.answersWith(({ headers }, response) =>
      headers.authorization ? response.writeHead(said.status).end(JSON.stringify(said.body)) : 'as ever',
    )
    expect(await enterWith(dash)).toEqual([4, expect.stringMatching(/^error: invalid API token\n/)])
  })

  test('a wrong password comes with status 200, and is one', async () => {
    const dash = await startReplay()
    const words = ['login', dash.url, '--user', 'admin', '--password-file', '-']
    const ended = await createQd()(words, 'wrong')
    expect(ended).toMatchObject({ code: 4, stderr: expect.stringMatching(/wrong|password/i) })
  })
})

describe.each([1, 2] as const)('in the middle of work on %i.x', (generation) => {
  test.each([
    ['setting', 'set', '--site-name', 'X'],
    ['setting', 'set', '--site-name', 'X', '--dry-run'],
    ['user', 'create', '--username', 'x'],
  ])('a member is told that %s %s is not allowed, before any value', async (...words) => {
    const { qd } = await signedIn({ generation, as: 'member' })
    expect(await qd(words)).toMatchObject({
      code: 5,
      stderr: expect.stringMatching(/^error: you don’t have permission to do this\n/),
    })
  })

  test('the dashboard ended the sign-in', async () => {
    const { dash, qd } = await signedIn({ generation })
    dash.endSession()
    const { code, stderr } = await qd(['server', 'ls'])
    expect([code, stderr]).toEqual([4, expect.stringMatching(/your session has ended\n[\s\S]*qd login/)])
  })

  test('the firewall answers with its page', async () => {
    const { dash, qd } = await signedIn({ generation })
    dash.blocks()
    const { code, stderr } = await qd(['server', 'ls'])
    expect([code, stderr]).toEqual([5, expect.stringMatching(/this IP address is blocked\n[\s\S]*ask an admin/)])
    expect(stderr).not.toContain('<')
  })

  test('a program is told the reason as well', async () => {
    const { dash, qd } = await signedIn({ generation })
    page(502, '<html>Bad Gateway')(dash)
    const { code, stderr } = await qd(['server', 'ls', '--json', 'id', '--retries', '0'])
    expect([code, JSON.parse(stderr)]).toMatchObject([
      9,
      { code: 'unreachable', status: 502, message: expect.stringMatching(/^can’t reach the server: a proxy .* 502/) },
    ])
  })

  test('the dashboard starts again: reading goes on, a change is sent once', async () => {
    const { dash, qd } = await signedIn({ generation })
    const restart = () =>
      dash.answersWith((request) => {
        request.socket.destroy()
        dash.answersWith(null)
      })
    restart()
    expect((await qd(['server', 'ls'])).code).toBe(0)
    dash.answersWith((request) => (request.method === 'GET' ? 'as ever' : request.socket.destroy()))
    const { code, stderr } = await qd(['cron', 'run', 'hourly'])
    expect([code, stderr]).toEqual([9, expect.stringMatching(/try: the request may have gone through\. Check before/)])
    expect(dash.calls().filter((call) => call.startsWith('POST cron/'))).toHaveLength(1)
  })

  test.runIf(generation === 2)('a dashboard that thinks for ever', async () => {
    const { dash, qd } = await signedIn({ generation })
    dash.answersWith(() => {})
    const { code, stderr } = await qd(['server', 'ls', '--retries', '0'])
    expect([code, stderr]).toEqual([7, expect.stringMatching(/no response (in time|within)/)])
  })

  test('an account without rights is told so, and sees what is its own', async () => {
    const { qd } = await signedIn({ generation, as: 'member' })
    expect((await qd(['server', 'ls'])).stdout).toMatch(/^ID .*\n +3 /)
    for (const entity of ['user', 'waf', 'online-user']) {
      const { code, stdout, stderr } = await qd([entity, 'ls'])
      expect([entity, code, stdout]).toEqual([entity, 5, ''])
      expect(stderr).toMatch(/^error: you don’t have permission to do this\n/)
    }
    expect(await qd(['user', 'rm', 'admin', '--dry-run'])).toMatchObject({
      code: 5,
      stderr: expect.stringMatching(/^error: you don’t have permission to do this\n/),
    })
  })
})
