import { expect, test } from 'vitest'
import { serverRow, viewOf } from '../../../../tests/support/core/rows.ts'
import type { Viewer } from '../define/index.ts'
import { createTranslator, loadLanguage } from '../i18n/index.ts'
import { cron, server } from '../resources/index.ts'
import { confirmOf, wordsToType } from './index.ts'

const english = createTranslator({ language: 'en-US', bundles: { 'en-US': await loadLanguage('en-US') } })
const viewer: Viewer = { id: 1, username: 'admin', role: 0, scopes: null }

test.each([
  [100, null],
  [101, '101 servers'],
])('issue 12: a command on %i servers asks for %o to be typed', (count, words) => {
  const servers = Array.from({ length: count }, (_, index) => serverRow({ id: index + 1 }))
  const view = viewOf({ server: servers })
  const task = cron.read.parse({ id: 1, name: 'all', cover: 1, servers: [] })
  const exec = confirmOf(server.actions.exec, server, servers, { view, viewer })!
  const run = confirmOf(cron.actions.run, cron, [task], { view, viewer })!
  expect([exec, run].map((confirm) => wordsToType(confirm, english))).toEqual([words, words])
})
