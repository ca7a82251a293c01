import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { showLanguage } from '../base/state/texts.ts'
import { Groups } from './Groups.tsx'
import type { PublicServer } from './public-server.ts'

beforeAll(() => showLanguage('en-US'))
afterEach(cleanup)

const serverOf = (id: number): PublicServer => ({
  id,
  name: `web-${id}`,
  note: '',
  isOnline: true,
  isKnown: true,
  load: { figure: 'cpu', value: 12 },
  busy: { is: false, against: 0 },
  lastActive: null,
  maintenanceUntil: null,
  nextMaintenance: null,
  sample: { host: {}, state: {} },
})

test('issue 12: two groups of one name each keep their own servers, also when one goes', () => {
  const servers = [1, 2, 3].map(serverOf)
  const groups = [
    { id: 7, name: 'web', servers: [1] },
    { id: 8, name: 'web', servers: [2, 3] },
  ]
  const { rerender } = render(<Groups servers={servers} groups={groups} />)
  const [, second] = screen.getAllByText('web').map((name) => name.parentElement!.parentElement!)
  rerender(<Groups servers={servers} groups={groups.slice(1)} />)
  expect(screen.getAllByText('web').map((name) => name.parentElement!.parentElement!)).toEqual([second])
  expect(second!.isConnected).toBe(true)
})
