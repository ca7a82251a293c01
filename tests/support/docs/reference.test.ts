import { resources } from '@qd/core/resources'
import { beforeAll, expect, test } from 'vitest'
import { commandTree } from '../../../apps/tui/src/cli/commands/tree.ts'
import type { Pages } from './markdown.ts'
import { referencePages } from './reference.ts'
import { servedPages } from './served.ts'

let pages: Pages
beforeAll(async () => {
  pages = { ...(await referencePages()), ...(await servedPages()) }
})

test('every command has a section with its flags, below a page of its first word', () => {
  for (const entry of commandTree()) {
    expect(pages['qd.md']).toContain(`(qd-${entry.name}.md)`)
    const page = pages[`qd-${entry.name}.md`]
    for (const { name } of 'commands' in entry ? entry.commands : [])
      expect(page).toContain(`## \`qd ${entry.name} ${name}\``)
  }
  expect(pages['qd-server.md']).toContain('| `--max-failures, --max-fail <number>` |')
})

test('settings, words, exit codes, metrics, and calls are those of the product', () => {
  expect(pages['settings.md']).toContain('| `session_days`<br>Session lifetime (days) | 1 to 365 | `30` |')
  for (const { name } of resources.filter(({ wire }) => wire.verbs.includes('list')))
    expect(pages['qd-watch.md']).toContain(`qd watch ${name}`)
  expect(pages['query-words.md']).toContain('| `memory` `mem` | percent')
  expect(pages['help-exit-codes.md']).toContain('    6  partial')
  expect(pages['metrics.md']).toContain('| `quarterdeck_event_loop_delay_seconds` | summary |')
  expect(pages['metrics.md']).toContain('| `quarterdeck_service_up` | gauge |')
  expect(pages['http-api.md']).toContain('| `POST /exec` |')
})

test('no page runs what it shows: braces of templates are in code or escaped', () => {
  for (const [file, text] of Object.entries(pages))
    expect(`${file}: ${text.replace(/```[\s\S]*?```|`[^`\n]*`/g, '')}`).not.toMatch(/\{\{|<(?!br>)/)
})
