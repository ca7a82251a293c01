import { usedBy } from '@qd/core/actions'
import { isRefused, type Records } from '@qd/core/api'
import { type AnyRow, type Resource, type SectionKind, type SectionOf, titleOf } from '@qd/core/define'
import { toAppError } from '@qd/core/errors'
import { plainLines, plainText } from '@qd/core/fields'
import { furtherReason, itemTones, type RunItem, resourceByName, sortItems } from '@qd/core/resources'
import { headingOf, momentsOf, presentCell, relatedRows, sectionsOf, usedByGroups } from '@qd/core/view'
import { padTo, widthOf } from '../../../base/output/width.ts'
import type { Cli } from '../command.ts'

export interface Detailed {
  readonly resource: Resource
  readonly row: AnyRow
  readonly records: Records
}

type Lines<K extends SectionKind> = (cli: Cli, shown: Detailed, section: SectionOf<K>) => Promise<readonly string[]>

const most = 8

const lines: { [K in SectionKind]: Lines<K> | null } = {
  lead: null,
  problem: null,
  facts: null,
  rest: null,
  links: null,
  text: null,
  days: null,
  figures: null,
  latency: null,
  checks: null,
  events: null,
  notifies: null,
  timeline: timelineLines,
  parts: null,
  related: relatedLines,
  hosted: null,
  'used-by': usedByLines,
}

/** Prints detail sections: parts of a run always, related records only on a terminal. */
export async function printDetail(cli: Cli, shown: Detailed): Promise<void> {
  const { resource, row, records } = shown
  for (const section of await records.read((view) => sectionsOf(resource, view))) {
    if (section.kind === 'parts') printItems(cli, row[section.field] as readonly RunItem[])
    const say = lines[section.kind] as Lines<SectionKind> | null
    if (!say || !cli.io.stdout.isTTY) continue
    const translator = await cli.texts()
    const said = await say(cli, shown, section)
    if (said.length === 0) continue
    cli.print('')
    cli.print(cli.out.paint('muted', headingOf(translator, resource, section) ?? ''))
    for (const line of said) cli.print(`  ${line}`)
  }
}

async function relatedLines(
  cli: Cli,
  { row, records }: Detailed,
  section: SectionOf<'related'>,
): Promise<readonly string[]> {
  const { translator, format } = cli
  const of = resourceByName(section.of)
  const viewer = await (await cli.connect()).viewer()
  if (of.wire.paging === 'server' && typeof section.by === 'string') {
    await records.list(of, { q: `${section.by}:#${row.id}`, limit: most }).catch((thrown: unknown) => {
      if (!isRefused(thrown) && !['noRoute', 'unsupported'].includes(toAppError(thrown).code)) throw thrown
    })
  }
  return records.read((view) => {
    const surface = { translator, format, view, viewer }
    return relatedRows(surface, section, row.id)
      .slice(0, most)
      .map((one) => {
        const cells = section.fields.map((field) => presentCell(surface, { resource: of, row: one, field }).text)
        return [titleOf(of, one), ...cells].filter(Boolean).map(plainText).join('  ')
      })
  })
}

async function timelineLines({ translator, format }: Cli, { row, records }: Detailed, section: SectionOf<'timeline'>) {
  const moments = await records.read((view) => momentsOf({ translator, format, view }, row, section))
  return moments.map(({ at, text, result }) => [format.instantLong(at), text, result?.text].filter(Boolean).join('  '))
}

async function usedByLines({ translator }: Cli, { resource, row, records }: Detailed): Promise<readonly string[]> {
  const groups = await records.read((view) => usedByGroups({ view, translator }, usedBy(resource, [row.id], view)))
  return groups.map(({ label, links }) => `${label}: ${links.map(({ title }) => title).join(', ')}`)
}

export function itemLine({ translator, format, out: style }: Cli, item: RunItem, nameCells: number): string {
  const { t } = translator
  const reason = furtherReason(item)
  const facts = [
    translator.say(`ui.run.states.${item.state}`),
    item.exit_code === null ? '' : t('ui.cli.run.exit', { code: String(item.exit_code) }),
    item.duration_ms === null ? '' : format.duration(item.duration_ms / 1000),
    reason === null ? '' : translator.say(`ui.run.reasons.${reason}`),
  ]
  const name = padTo(plainText(item.server_name) || `#${item.server_id}`, nameCells, 'left')
  return `${style.paint(itemTones[item.state], style.mark(item.state))} ${name}  ${facts.filter(Boolean).join('  ')}`
}

export function printItems(cli: Cli, items: readonly RunItem[]): void {
  const nameCells = Math.max(0, ...items.map(({ server_name }) => widthOf(plainText(server_name))))
  for (const item of sortItems(items)) {
    cli.print(itemLine(cli, item, nameCells))
    const output = plainLines(item.output).replace(/\n+$/, '')
    if (output !== '') for (const line of output.split('\n')) cli.print(`  ${line}`)
    if (item.cut_bytes > 0) cli.print(`  ${cli.out.paint('muted', cli.t('ui.run.cut', { count: item.cut_bytes }))}`)
  }
}
