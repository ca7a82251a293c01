import type { Resource } from '@qd/core/define'
import { resources } from '@qd/core/resources'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createCrateWorld } from '../../../../tests/agent/crate-world.ts'
import { crate } from '../../../../tests/support/crate.ts'
import { createTestIo } from '../../../../tests/support/tui/io.ts'
import { runQd } from '../../../../tests/support/tui/run.ts'
import { startTestScreen } from '../../../../tests/support/tui/screen.ts'
import { good, type RecordingServer, startRecordingServer } from '../../../../tests/support/tui/server.ts'
import { admin } from '../../../../tests/support/world.ts'
import { loadTranslator } from '../base/language.ts'
import { createCli } from '../cli/commands/command.ts'

const at = '2026-11-20T12:00:00Z'
const owner = { id: 1, username: 'admin', admin: true }
const stamps = { created_at: at, updated_at: at, owner }
const online = { last_active: new Date().toISOString() }

describe('qd', () => {
  let server: RecordingServer
  beforeAll(() => void (resources as Resource[]).push(crate))
  afterAll(() => void (resources as Resource[]).pop())
  beforeEach(async () => {
    const pending = { cursor: 1, hosts: [read(1, ['tea.box', 'whole']), { server_id: 2, state: 'pending' }] }
    const rest = {
      cursor: 2,
      hosts: [read(2, ['tea.box', 'whole'], ['glass.box', 'broken']), { server_id: 3, state: 'offline' }],
    }
    server = await startRecordingServer({
      profile: good({ id: 1, username: 'admin', role: 0, ...stamps }),
      capabilities: good({ capabilities: ['hosts', 'runs'] }),
      setting: good({ config: { site_name: 'Fleet', language: 'en-US' } }),
      server: good(['web-1', 'web-2', 'db-1'].map((name, index) => ({ id: index + 1, name, ...online, ...stamps }))),
      'host/crate': [good(pending), good(rest)],
      'POST host/crate/lift': good({ run_id: 7, success: [2], offline: [] }),
      'run/7': good({ id: 7, kind: 'exec', name: 'lift', counts: { success: 1 }, items: [], ...stamps }),
    })
  })
  afterEach(() => server.close())

  function read(server_id: number, ...crates: readonly (readonly [string, string])[]) {
    return { server_id, state: 'read', at, rows: crates.map(([name, seal]) => ({ name, seal })) }
  }

  const qd = (...args: string[]) => runQd({ args, env: { QD_URL: server.url, QD_TOKEN: 'nzp_x' } })
  const asked = () => server.requests.map(({ path }) => path).filter((path) => path.startsWith('host/'))

  test('records of hosts are listed, problems first, with who did not answer, by the definition alone', async () => {
    const { code, stdout, stderr } = await qd('crate', 'ls', '--on', 'web', '--json', 'name,seal,server_id')
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('offline: db-1') })
    expect(JSON.parse(stdout)).toEqual([
      { name: 'glass.box', seal: 'broken', server_id: 2 },
      { name: 'tea.box', seal: 'whole', server_id: 1 },
      { name: 'tea.box', seal: 'whole', server_id: 2 },
    ])
    expect(asked()).toEqual(['host/crate?on=web&wait=150', 'host/crate?on=web&wait=300&since=1&same=omit'])
  })

  test('a script fails if any is listed, and says if none was but hosts are missing', async () => {
    expect(await qd('crate', 'ls', 'broken', '--fail-if-any')).toMatchObject({ code: 1 })
    expect(await qd('crate', 'ls', 'name:none', '--fail-if-any')).toMatchObject({ code: 6 })
  })

  test('one name means it on all hosts, and with a server the one there', async () => {
    expect(await qd('crate', 'lift', 'tea', '--yes')).toMatchObject({ code: 0 })
    const both = [1, 2].map((server_id) => ({ server_id, name: 'tea.box' }))
    expect(server.changes).toMatchObject([{ path: 'host/crate/lift', body: { targets: both } }])
    expect((await qd('crate', 'get', 'web-2/tea', '--json', 'server_id')).stdout).toContain('2')
  })

  test('a target that can’t be read is refused before anything is asked', async () => {
    expect(await qd('crate', 'ls', '--on', 'cpu>')).toMatchObject({ code: 2 })
    expect(asked()).toEqual([])
  })
})

test('the terminal UI lists them, problems first, shows one and acts on it, and a server’s page has them', async () => {
  const world = await createCrateWorld()
  try {
    const env = { QD_URL: world.origin, QD_USER: admin.username, QD_PASSWORD: admin.password }
    const cli = createCli(createTestIo({ env }), { texts: () => loadTranslator('en-US'), flags: {} })
    const screen = await startTestScreen(cli, { columns: 160, rows: 80 })
    const shows = (pattern: RegExp) => expect.poll(screen.text, { timeout: 30_000 }).toMatch(pattern)
    try {
      await shows(/ live\n[\s\S]*web-1/)
      screen.go('crate')
      await shows(/1 of 1 hosts answered[\s\S]*▌ +glass\.box +■ .*web-1[\s\S]* tea\.box +● .*web-1/)
      screen.press('Enter')
      await shows(/› glass\.box[\s\S]*web-1/)
      screen.press('Escape', 'Ctrl+k')
      screen.type('lift')
      await shows(/▌.*crate\.actions\.lift/)
      screen.press('Enter')
      await shows(/■ glass\.box[\s\S]*● 1 online, will run/)
      screen.press('Tab', 'Enter')
      await shows(/lift glass\.box[\s\S]*web-1 +✓ success +0 /)
      screen.go('server')
      await shows(/▌.*web-1/)
      screen.press('Enter')
      await shows(/─ resources\.crate\.many .*All 2 ─+\n ● glass\.box .*\n ● tea\.box /)
    } finally {
      await screen.close()
    }
  } finally {
    await world.close()
  }
}, 90_000)
