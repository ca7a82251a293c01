import { withoutAliases } from '@qd/core/actions'
import { expect, test } from 'vitest'
import { globalFlags } from './flags/flags.ts'
import { commandTree } from './tree.ts'

const tree = commandTree()

test.each([
  ['task list', 'cron ls'],
  ['tasks ls', 'cron ls'],
  ['servers', 'server'],
  ['server list', 'server ls'],
  ['server-groups show web', 'server-group get web'],
  ['alert describe busy', 'alert-rule get busy'],
  ['notifiers rm chat --yes', 'notification delete chat --yes'],
  ['ssh web-1', 'server shell web-1'],
  ['--profile prod -q task list --json id', '--profile prod -q cron ls --json id'],
  ['--profile task server --lang list show web-1', '--profile task server --lang list get web-1'],
  // A word of its own stays, and so does what is no command.
  ['profile ls', 'profile ls'],
  ['server get list', 'server get list'],
  ['server ls rm', 'server ls rm'],
  ['exec web-1 -- task list', 'exec web-1 -- task list'],
  ['-- task list', '-- task list'],
  ['nosuch list', 'nosuch list'],
  ['setting show', 'setting get'],
  ['account rm', 'account rm'],
  ['', ''],
])('issue 18 %j is %j', (typed, meant) => {
  expect(withoutAliases(typed.split(' '), { tree, globalFlags }).join(' ')).toBe(meant)
})
