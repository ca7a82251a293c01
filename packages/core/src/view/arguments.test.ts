import { expect, test } from 'vitest'
import { serverRow, viewOf } from '../../../../tests/support/core/rows.ts'
import type { ActionContext, Viewer } from '../define/index.ts'
import { createTranslator, loadLanguage } from '../i18n/index.ts'
import { alertRule, server } from '../resources/index.ts'
import { createArgumentsForm, targetsOfAction } from './index.ts'

const viewer: Viewer = { id: 1, username: 'admin', role: 0, scopes: null }
const translator = createTranslator({ language: 'en-US', bundles: { 'en-US': await loadLanguage('en-US') } })
const rows = [serverRow({ id: 1, name: 'web-1' }), serverRow({ id: 2, name: 'web-2', seenMsAgo: 3_600_000 })]
const view = viewOf({ server: rows })

async function open(name: string) {
  const action = server.actions[name]!
  const args = action.args!
  const start = await args.start({} as ActionContext, rows)
  return createArgumentsForm({ action, args, resource: server, rows, start, view, viewer, translator })
}

test('arguments are a form: the same problems, the same flags', async () => {
  const form = await open('exec')
  expect(form.groups()[0]!.fields.map(({ field, required }) => [field, required])).toEqual([
    ['command', true],
    ['time_limit', false],
  ])
  expect(form.submit()).toMatchObject({ ok: false, first: 'command' })
  form.set('command', 'uptime')
  expect(form.submit()).toEqual({ ok: true, input: { command: 'uptime', time_limit: 60 } })
  expect(form.cliLine()).toBe('qd exec --ids 1,2 --command uptime')
})

test('D1 they say which servers will be reached and who will miss it', async () => {
  const form = await open('exec')
  expect(form.targetPreview()).toMatchObject({ targets: { ids: [1, 2], online: [1] }, offline: [{ name: 'web-2' }] })
})

test('issue 36.35 an agent that is connected but silent gets the command, so it isn’t forecast to miss it', () => {
  const silent = serverRow({ id: 3, name: 'web-3', seenMsAgo: 3_600_000, isConnected: true })
  const action = server.actions.exec
  const by = { view: viewOf({ server: [...rows, silent] }), viewer }
  expect(targetsOfAction(action, server, [silent], by)).toMatchObject({ targets: { online: [3] }, offline: [] })
})

test('D1 what does nothing on servers reaches none: a test message of a rule', async () => {
  const action = alertRule.actions.test
  const rule = [{ id: 1, name: 'hot', rules: [] }]
  const form = createArgumentsForm({
    action,
    args: action.args!,
    resource: alertRule,
    rows: rule,
    start: { server_id: 0 },
    view,
    viewer,
    translator,
  })
  expect(form.targetPreview()).toBeNull()
})

test('only what was changed is handed on, and changing nothing is a problem', async () => {
  const form = await open('config')
  expect(form.submit()).toMatchObject({ ok: false, problems: [{ field: '', code: 'nothingChanged' }] })
  form.setText('report_delay', '2')
  form.set('debug', true)
  expect(form.submit()).toEqual({ ok: true, input: { report_delay: 2, debug: true } })
  form.set('debug', false)
  form.setText('report_delay', '9')
  expect(form.submit()).toMatchObject({ ok: false, first: 'report_delay' })
})

test('on several servers the value that is shown first can be said too: nobody knows what they have', async () => {
  const form = await open('config')
  form.set('debug', false)
  expect(form.changes()).toEqual(['debug'])
  expect(form.submit()).toEqual({ ok: true, input: { debug: false } })
})
