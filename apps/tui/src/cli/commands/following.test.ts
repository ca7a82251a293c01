import { expect, test } from 'vitest'
import { createTestIo } from '../../../../../tests/support/tui/io.ts'
import { good, startRecordingServer } from '../../../../../tests/support/tui/server.ts'
import { runProgram } from '../../start/program.ts'

const stamps = { created_at: '2026-11-20T12:00:00Z', updated_at: '2026-11-20T12:00:00Z' }

test.each([
  ['a server that can', ['follow-targets'], 0],
  ['one that cannot', [], 5],
])('D4 --select and --follows keep up with a selection on %s', async (_name, capabilities, exit) => {
  const server = await startRecordingServer({
    capabilities: good({ capabilities }),
    profile: good({ id: 1, username: 'admin', role: 0, ...stamps }),
    setting: good({ config: {} }),
    server: good([{ id: 1, name: 'web-1', host: {}, ...stamps }]),
    'server-group': good([{ group: { id: 4, name: 'web', ...stamps }, servers: [1] }]),
    cron: good([{ id: 9, name: 'n', ...stamps }]),
    'POST cron': good(9),
  })
  const args = ['cron', 'create', '--name', 'n', '--command', 'true', '--task-type', 'triggered']
  const io = createTestIo({
    args: [...args, '--select', 'group:web', '--follows'],
    env: { QD_URL: server.url, QD_TOKEN: 'nzp_x', LANG: 'C.UTF-8' },
  })
  const code = await runProgram(io)
  const { changes } = server
  await server.close()
  expect({ code, said: io.written().stderr }).toMatchObject({ code: exit })
  if (exit === 0)
    expect(changes[0]!.body).toMatchObject({ cover: 0, servers: [1], server_query: 'group:web', follows: true })
  else expect(changes).toEqual([])
})
