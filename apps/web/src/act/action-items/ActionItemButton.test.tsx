import { server } from '@qd/core/resources'
import { expect, test } from 'vitest'
import { choicesOf } from './ActionItemButton.tsx'

test('an action that asks for choices only has them as a menu, the usual ones first; others ask in a window', () => {
  expect(choicesOf(server.actions.reinstall)).toEqual([
    { os: 'linux', agent: 'ours' },
    { os: 'macos', agent: 'ours' },
    { os: 'windows', agent: 'ours' },
    { os: 'linux', agent: 'nezha' },
    { os: 'macos', agent: 'nezha' },
    { os: 'windows', agent: 'nezha' },
  ])
  for (const action of [server.actions.exec, server.actions.install, server.actions.delete])
    expect(choicesOf(action)).toBeNull()
})
