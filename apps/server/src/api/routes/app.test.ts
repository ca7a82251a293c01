import { expect, test } from 'vitest'
import { logPath } from './app.ts'

test.each(['terminal', 'file', 'logs'])('the log doesn’t tell the ID of a stream: %s', (kind) => {
  expect(logPath(`/api/v1/ws/${kind}/0123456789abcdef`)).toBe('/api/v1***')
})
