import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { maskSecrets } from '@qd/core/actions'
import type { AnyRow, FieldKind, Resource, Viewer } from '@qd/core/define'
import { createTranslator, loadLanguage } from '@qd/core/i18n'
import { resources, server as serverResource } from '@qd/core/resources'
import { createForm, type FormModel } from '@qd/core/view'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runQd } from '../../../../../../tests/support/tui/run.ts'
import { good, type RecordingServer, startRecordingServer } from '../../../../../../tests/support/tui/server.ts'
import { fuzzSeed as seed, typedTexts } from '../../../../../../tests/support/typed-texts.ts'
import { fieldFlags } from './field-flags.ts'

const translator = createTranslator({ language: 'en-US', bundles: { 'en-US': await loadLanguage('en-US') } })
const viewer: Viewer = { id: 1, username: 'admin', role: 0, scopes: null }
const servers = [serverResource.read.parse({ id: 1, name: 'web-1' })]
const view = {
  now: Date.now(),
  all: (name: string): readonly AnyRow[] => (name === 'server' ? servers : []),
  find: (name: string, id: number) => (name === 'server' ? servers.find((row) => row.id === id) : undefined),
  title: (name: string, id: number) => (name === 'server' && id === 1 ? 'web-1' : null),
  referring: () => [],
  trend: () => [],
}
let server: RecordingServer

beforeAll(async () => {
  const lists = Object.fromEntries(resources.map(({ wire }) => [wire.calls.list.path, good([])]))
  const needed = resources.flatMap(({ requires, fields }) => [
    requires,
    ...Object.values(fields).map((one) => one.requires),
  ])
  const capabilities = good({ capabilities: needed.filter((name) => typeof name === 'string') })
  server = await startRecordingServer({ ...lists, server: good(servers), capabilities, profile: good({ id: 1 }) })
})
afterAll(() => server.close())

async function qd(...args: string[]) {
  return runQd({ args, env: { QD_URL: server.url, QD_TOKEN: 'nzp_x', LANG: 'C.UTF-8' } })
}

const secretFile = join(mkdtempSync(join(tmpdir(), 'qd-flags-')), 'secret')
writeFileSync(secretFile, 'https://example.net/hook')
afterAll(() => rmSync(dirname(secretFile), { recursive: true }))

/** What a new record cannot go without. */
const samples: Readonly<Partial<Record<FieldKind, readonly string[]>>> = {
  text: ['x', 'x.example.net'],
  command: ['true'],
  schedule: ['0 0 3 * * *'],
  address: ['https://example.net', '127.0.0.1:80', 'x.example.net'],
  secret: ['https://example.net/hook'],
  ref: ['1'],
}

/** A form with whatever it needs, and the flags that say the same. */
function filled(resource: Resource): { form: FormModel; args: string[] } {
  const form = createForm({ resource, mode: 'create', row: null, view, viewer, translator })
  const args = form.problems().flatMap(({ field }, index) => {
    const definition = resource.fields[field]!
    // The second of two times is later than the first.
    const some = definition.kind === 'instant' ? [`${2030 + index}-01-01T00:00:00Z`] : samples[definition.kind]
    const tries = definition.kind === 'list' ? [definition.options![0]!] : (some ?? [''])
    const fits = (text: string) => {
      form.setText(field, text)
      return !form.problems().some((problem) => problem.field === field)
    }
    const text = tries.find(fits) ?? ''
    const flag = `--${field.replaceAll('_', '-')}`
    return [definition.kind === 'secret' ? `${flag}-file=${secretFile}` : `${flag}=${text}`]
  })
  // A record that reaches nobody says so.
  const hasTargets = resource.fields.cover !== undefined && resource.fields.servers !== undefined
  return { form, args: [...args, ...(hasTargets ? ['--servers=none'] : [])] }
}

const creatable = resources.filter(({ wire, form }) => wire.verbs.includes('create') && form.length > 0)

describe.each(creatable.map((resource) => ({ name: resource.name, resource })))(
  'issue 10.2: qd $name create',
  ({ resource }) => {
    const flags = fieldFlags(resource).filter((flag) => !flag.hidden && !flag.flags.includes('-file'))
    test.each(flags.map(({ flags: words }) => words.split(' ')[0]!))(
      '%s sends what it was given, or refuses it',
      async (flag) => {
        const field = flag.slice(2).replaceAll('-', '_')
        await fc.assert(
          fc.asyncProperty(typedTexts(resource, field, view), async (text) => {
            // A file, and what comes on stdin, are not what stands there.
            fc.pre(!text.startsWith('@') && text !== '-')
            const { form, args } = filled(resource)
            const others = args.filter((arg) => !arg.startsWith(`${flag}=`))
            const { code, stdout, stderr } = await qd(
              resource.name,
              'create',
              ...others,
              `${flag}=${text}`,
              '--dry-run',
              '--json',
            )
            const said = JSON.stringify([text, stdout, stderr])
            expect(stderr, said).not.toMatch(/internal|Unexpected/)
            expect([0, 2, 8], said).toContain(code)
            if (code !== 0) return
            form.setText(field, text)
            const submitted = form.submit()
            expect(submitted.ok, said).toBe(true)
            if (!submitted.ok) return
            const [call] = (JSON.parse(stdout) as { calls: { body: unknown }[] }).calls
            expect(call!.body, said).toEqual(
              JSON.parse(JSON.stringify(maskSecrets(resource.wire.encode(submitted.input), resource))),
            )
          }),
          { numRuns: 10, seed },
        )
      },
    )
    test('and what a form needs is enough', async () => {
      const { code, stderr } = await qd(resource.name, 'create', ...filled(resource).args, '--dry-run', '--json')
      expect([code, stderr]).toEqual([0, expect.not.stringContaining('error')])
    })
    test('nothing was sent', () => expect(server.changes).toEqual([]))
  },
)
