import { runItem, run as runResource } from '@qd/core/resources'
import { jsonFields } from '@qd/core/view'
import { describe, expect, test } from 'vitest'
import { cliText, english } from '../../../../tests/support/english.ts'
import { signedIn } from '../../../../tests/support/tui/nezha.ts'

/** A force update of servers 1 and 2, which the recording asked for twice. */
const update = ['force-update', 'online, offline, unknown, duplicate', { with: { body: [1, 2] } }] as const
const home = '1:/tmp/fx/home'

describe.each([1, 2] as const)('actions on a dashboard of %i.x', (generation) => {
  test('a task is run with the method that it knows, and sent is not called done', async () => {
    const { dash, qd } = await signedIn({ generation })
    dash.expects('crons', 'run: ok')
    const { code, stdout, stderr } = await qd(['cron', 'run', 'hourly'])
    expect([code, stdout]).toEqual([0, ''])
    expect(stderr).not.toMatch(/success|done/i)
    expect(dash.calls().filter((call) => call.includes('manual'))).toEqual(
      generation === 1 ? ['POST cron/1/manual', 'GET cron/1/manual'] : ['POST cron/1/manual'],
    )
  })

  test('--wait names its evidence: a newer time says that somebody answered, not that it went well', async () => {
    const { dash, qd } = await signedIn({ generation })
    dash.expects('crons', 'run: ok', { after: [['crons', 'after the failing run']] })
    const { code, stdout, stderr } = await qd(['cron', 'run', 'hourly', '--wait', '--timeout', '20s', '--poll', '50ms'])
    expect(code).toBe(7)
    expect(stdout).toMatch(/^hourly: Last run is now 2026-11-20T10:00:\d\d\.000Z\n$/)
    expect(stderr).toContain(english.t('ui.cli.run.noLedger'))
  })

  test('a forced update is sent; only another version says that it was done', async () => {
    const { dash, qd } = await signedIn({ generation })
    dash.expects(...update)
    const { code, stdout } = await qd(['server', 'force-update', 'web-1', 'db-1', '--yes'])
    expect(code).toBe(6)
    expect(stdout).toMatch(/^sent: web-1.*\noffline when the run started: db-1/)
    dash.expects(...update)
    const words = ['server', 'force-update', 'web-1', 'db-1', '--yes', '--wait', '--timeout', '1ms']
    const waited = await qd(words)
    expect(waited.code).toBe(7)
    expect(waited.stderr).toContain('web-1: no result yet, Agent is unchanged')
  })

  test('issue 36.20 --json is a run with items, as on a server that records runs', async () => {
    const { dash, qd } = await signedIn({ generation })
    dash.expects('crons', 'run: ok', { after: [['crons', 'after the failing run']] })
    const task = await qd(['cron', 'run', 'hourly', '--wait', '--timeout', '20s', '--poll', '50ms', '--json'])
    expect(task.code).toBe(7)
    const run = JSON.parse(task.stdout)
    expect(run).toMatchObject({ id: 0, kind: 'cron', cron_id: 1, name: 'hourly', state: 'open', finished_at: null })
    expect(Object.keys(run)).toEqual(jsonFields(runResource))
    expect(Object.keys(run.items[0])).toEqual(Object.keys(runItem().shape))
    dash.expects(...update)
    const line = ['server', 'force-update', 'web-1', 'db-1', '--yes', '--wait', '--timeout', '1ms']
    const sent = await qd([...line, '--jsonl', 'server_name,state,reason,message'])
    expect(sent.code).toBe(7)
    expect(
      sent.stdout
        .trim()
        .split('\n')
        .map((item) => JSON.parse(item)),
    ).toEqual([
      { server_name: 'web-1', state: 'sent', reason: null, message: '' },
      {
        server_name: 'db-1',
        state: 'no_answer',
        reason: 'offline',
        message: 'the server was offline when the run started',
      },
      // The recording also asked for a server that doesn't exist.
      expect.objectContaining({ server_name: '', state: 'no_answer' }),
    ])
  })

  test.each([
    ['--canary', '1'],
    ['--batch', '2'],
    ['--canary', '1', '--dry-run'],
  ])('issue 36.13 a rollout in steps is refused before anything is sent: %s %s %s', async (...flags) => {
    const { dash, qd } = await signedIn({ generation })
    const { code, stderr } = await qd(['server', 'force-update', 'web-1', '--yes', '--wait', ...flags])
    expect([code, stderr]).toEqual([5, `error: ${flags[0]} isn’t supported by this server\n`])
    expect(dash.calls().filter((call) => call.startsWith('POST force-update'))).toEqual([])
  })

  test('what cannot be waited for is refused before it is sent', async () => {
    const { qd } = await signedIn({ generation })
    const { code, stderr } = await qd(['server', 'config', 'web-1', '--report-delay', '2', '--wait'])
    expect([code, stderr]).toEqual([
      5,
      expect.stringContaining(`error: ${cliText('errors.unsupported')}\n  ${english.t('ui.cli.run.noLedger')}\n`),
    ])
  })

  test('the last result of a task is what was once reported, never a failure or a success of now', async () => {
    const { dash, qd } = await signedIn({ generation })
    dash.reads('crons', 'after the failing run')
    const { stdout } = await qd(['cron', 'get', '1', '--json', 'last_state'])
    expect(JSON.parse(stdout)).toEqual({ last_state: 'claimed' })
  })

  test('the configuration of an agent: no answer means offline', async () => {
    const { dash, qd } = await signedIn({ generation })
    dash.reads('server-config', 'get, online')
    dash.reads('server-config', 'get, offline')
    expect((await qd(['server', 'config', 'web-1'])).stdout).toMatch(/^report_delay +1\n/)
    expect(await qd(['server', 'config', 'db-1'])).toMatchObject({ code: 1, stderr: 'error: db-1 is offline\n' })
    dash.expects('server-config', 'set: ok', { with: { servers: [1] } })
    expect((await qd(['server', 'config', 'web-1', '--report-delay', '2'])).stdout).toMatch(/^sent: web-1/)
  })

  test('a server is deleted; users are not edited where nobody can', async () => {
    const { dash, qd } = await signedIn({ generation })
    dash.expects('delete-server', 'delete while connected')
    expect((await qd(['server', 'rm', 'alice-1', '--yes'])).code).toBe(0)
    expect(await qd(['user', 'edit', 'alice', '--role', 'admin'])).toMatchObject({
      code: 5,
      stderr: expect.stringContaining(cliText('errors.unsupported')),
    })
  })

  test('settings are sent whole', async () => {
    const { dash, qd } = await signedIn({ generation })
    const all = { site_name: 'x', language: 'en-US', cover: 1 }
    dash.expects('settings', 'edit: minimal resets the rest (enable_mcp kept)', { with: all })
    expect((await qd(['setting', 'set', '--site-name', 'x'])).code).toBe(0)
  })

  test('files: names, contents, and what an agent does instead of refusing', async () => {
    const { dash, qd } = await signedIn({ generation })
    const files = async (...words: string[]) => {
      dash.expects('terminal-file', 'file: ok')
      return qd(['files', ...words])
    }
    expect((await files('ls', home)).stdout).toMatch(/sub\/\n.*empty\.txt\n.*hello\.txt/)
    expect(await files('get', `${home}/hello.txt`, '-')).toMatchObject({ code: 0, stdout: 'hello fixture\n' })
    expect((await files('get', `${home}/missing.txt`, '-')).stderr).toMatch(/no such file/)
    expect((await files('ls', '1:/tmp/fx/private')).stderr).toMatch(/\/tmp\/fx\/private.*not found|\/tmp\/fx\/home/)
    expect((await files('get', `${home}/empty.txt`, '-')).stderr).not.toMatch(/Unexpected/)
  })
})
