import { audit } from '@qd/core/resources'
import { cleanup, render } from '@testing-library/react'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { records } from '../../base/state/stores.ts'
import { loadAllTexts, showLanguage } from '../../base/state/texts.ts'
import { Facts } from './Values.tsx'

beforeAll(async () => {
  await showLanguage('en-US')
  await loadAllTexts()
})
afterEach(cleanup)

test('an entry that is no end of a session says nothing of an end', () => {
  const entry = { id: 5, action: 'server edit', target: '19', names: 'web-1', username: 'admin', result: 'ok' }
  const row = audit.read.parse(entry)
  vi.spyOn(records, 'row$').mockReturnValue({ get: () => row, peek: () => row })
  const { container } = render(<Facts resource={audit} id={5} fields={['username', 'record', 'lasted', 'ended']} />)
  expect(container.textContent).toBe('WhoadminRecordweb-1 (19)')
})
